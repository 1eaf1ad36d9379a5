import assert from 'node:assert/strict';
import { ensureInstalled } from '../support/debian.ts';
import { check, makeDirectory, openAt } from './workshop.ts';

/** How to start a shell without its user's settings, and how to enable completion. */
interface Shell {
  words: readonly [string, ...string[]];
  /** A file that exists if the shell is installed, and the Debian package that contains it. */
  needs: [path: string, name: string];
  setUp: string;
}

const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    words: ['bash', '--norc', '--noprofile', '-i'],
    needs: ['/usr/share/bash-completion/bash_completion', 'bash-completion'],
    // Twice, because people reload their settings.
    setUp:
      'source /usr/share/bash-completion/bash_completion; source <(botcli completion bash); source <(botcli completion bash)',
  },
  zsh: {
    words: ['zsh', '-f', '-i'],
    needs: ['/usr/bin/zsh', 'zsh'],
    setUp: 'autoload -U compinit; compinit -u; source <(botcli completion zsh)',
  },
  fish: {
    words: ['fish', '--no-config', '-i'],
    needs: ['/usr/bin/fish', 'fish'],
    setUp: 'botcli completion fish | source',
  },
};

/** Lines before and after pressing Tab. */
const LINES: [typed: string, completed: string][] = [
  ['botcli comple', 'botcli completion '],
  ['botcli init -t tel_a_rtc_sip_dialo', 'botcli init -t tel_a_rtc_sip_dialout '],
  ['botcli init --stt=soni', 'botcli init --stt=soniox_stt'],
  ['botcli cloud secrets image', 'botcli cloud secrets image-pull-secret '],
  ['botcli init --config bot.js', 'botcli init --config bot.json '],
];

const CLEAR_LINE = '\u0015';

/** Checks completion in real shells. */
export async function checkCompletion(): Promise<void> {
  for (const [name, { words, needs, setUp }] of Object.entries(SHELLS)) {
    await check(`Tab completes in ${name}`, async () => {
      const [path, debian] = needs;
      ensureInstalled([path], debian);
      const terminal = openAt(words, makeDirectory(`completion-${name}`, { 'bot.json': '{}' }));
      terminal.type(`${setUp}; echo re''ady\r`);
      await terminal.until('ready');
      assert.doesNotMatch(terminal.text(), /readonly|not found/);
      for (const [typed, completed] of LINES) {
        const seen = terminal.text().length;
        terminal.type(`${typed}\t`);
        await terminal.until(completed.slice(typed.length), seen);
        terminal.type(CLEAR_LINE);
      }
      terminal.type('exit\r');
      await terminal.ended;
    });
  }
}
