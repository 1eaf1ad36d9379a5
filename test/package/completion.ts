import assert from 'node:assert/strict';
import { ensureInstalled } from '../support/debian.ts';
import { check, makeDirectory, openAt } from './workshop.ts';

/** How a shell is started without its owner's settings, what makes completion part of it. */
interface Shell {
  words: readonly [string, ...string[]];
  /** The file by which it's known to be there, and the package that brings it. */
  needs: [path: string, name: string];
  setUp: string;
}

const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    words: ['bash', '--norc', '--noprofile', '-i'],
    needs: ['/usr/share/bash-completion/bash_completion', 'bash-completion'],
    // Twice, as when somebody reads their settings again.
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

/** What is typed before Tab is pressed, and what stands there then. */
const LINES: [typed: string, completed: string][] = [
  ['botcli comple', 'botcli completion '],
  ['botcli init -t tel_a_rtc_sip_dialo', 'botcli init -t tel_a_rtc_sip_dialout '],
  ['botcli cloud secrets image', 'botcli cloud secrets image-pull-secret '],
  ['botcli init --config bot.js', 'botcli init --config bot.json '],
];

const CLEAR_LINE = '\u0015';

/** Tab, in shells as people have them. */
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
        const behind = terminal.text().length;
        terminal.type(`${typed}\t`);
        await terminal.until(completed.slice(typed.length), behind);
        terminal.type(CLEAR_LINE);
      }
      terminal.type('exit\r');
      await terminal.ended;
    });
  }
}
