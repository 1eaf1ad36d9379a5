import assert from 'node:assert/strict';
import { serviceIds, transportIds } from '../../src/catalog/index.ts';
import { sessionIt } from '../support/session.ts';
import { runShell } from '../support/shell.ts';
import { inTree } from '../support/trees.ts';

/** What a line prints in a shell. */
const printed = (line: string) =>
  inTree({}, async cwd => {
    const { code, stdout, stderr } = await runShell(line, { cwd });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    return stdout.trimEnd();
  });

/** The results of `botcli complete -- …`: the choices, and the directive for the shell. */
async function ask(words: string): Promise<{ values: string[]; descriptions: string[]; directive: string }> {
  const lines = (await printed(`botcli complete -- ${words}`)).split('\n');
  const offered = lines.slice(0, -1).map(line => line.split('\t'));
  const column = (at: number) => offered.map(cells => cells[at] ?? '');
  return { values: column(0), descriptions: column(1), directive: lines.at(-1) ?? '' };
}

const NOTHING_ELSE = ':4';
const PATHS = ':0';

describe('shell completion', () => {
  const cases: [words: string, values: string[], directive?: string][] = [
    [`''`, ['init', 'update', 'dev', 'talk', 'test', 'calls', 'guide', 'check', 'cloud', 'completion']],
    ['in', ['init']],
    ['guide fl', ['flows']],
    ['check --', ['--keys', '--cloud', '--organization', '--json', '--debug']],
    [
      'dev --',
      [
        ...['--transport', '--tunnel', '--host', '--number', '--skip', '--port', '--open', '--no-open'],
        ...['--restart', '--no-restart', '--verbose', '--json', '--debug'],
      ],
    ],
    ['test --', ['--audio', '--simulation', '--deployed', '--timeout', '--json', '--debug']],
    ['cloud s', ['status', 'sessions', 'secrets']],
    ['cloud r', ['rollback', 'regions']],
    [`cloud regions ''`, ['list']],
    ['cloud organizations select --org', ['--organization']],
    [`cloud secrets ''`, ['list', 'set', 'unset', 'delete', 'image-pull-secret']],
    ['init --transp', ['--transport']],
    ['init --no-rec', ['--no-recording']],
    [`init -t ''`, [...transportIds('web'), ...transportIds('telephony')]],
    ['init my-bot --mode casc', ['cascade']],
    [`init --llm ''`, serviceIds('llm')],
    ['init --stt=soni', ['soniox_stt']],
    ['init -t tel_a --stt deepg', serviceIds('stt').filter(id => id.startsWith('deepg'))],
    [`completion ''`, ['bash', 'zsh', 'fish', 'powershell']],
    [`init --config ''`, [], PATHS],
    [`cloud secrets set my-bot --file .e`, [], PATHS],
    ['cloud secrets delete my-', []],
    ['cloud secrets set my-bot --from', ['--from-env']],
    ['cloud secrets set my-bot --pr', ['--prune']],
    ['cloud secrets set my-bot --dry', ['--dry-run']],
    ['cloud secrets image-pull-secret hub ghcr.io --sk', ['--skip']],
  ];
  for (const [words, values, directive = NOTHING_ELSE] of cases) {
    it(`botcli ${words}: ${values.slice(0, 3).join(', ') || 'no choices'}`, async () => {
      const answer = await ask(words);
      assert.deepEqual([answer.values, answer.directive], [values, directive]);
    });
  }

  it('describes each value by its display name', async () => {
    assert.deepEqual((await ask('init -t rtc_')).descriptions, [
      'Daily, hosted WebRTC',
      'SmallWebRTC, peer to peer',
      'Daily phone number',
      'Daily phone number, dial-in',
      'Daily phone number, dial-out',
    ]);
    assert.deepEqual((await ask(`init --client-server ''`)).descriptions, ['Vite', 'Next.js']);
    assert.deepEqual((await ask('init --llm anth')).descriptions, ['Anthropic Claude']);
  });

  it('prints a value without a name alone, since zsh shows a dash before a name', async () =>
    assert.equal(
      await printed("botcli complete -- init --client-framework ''"),
      'component\tReact\nvanilla\tTypeScript\nnone\n:4',
    ));

  /** What bash completes once code has run, which comes from bash-completion, or exists only while Tab is handled. */
  const inBash = (code: string) =>
    printed(
      `bash -c 'botcli() { "$NODE" "$BIN" "$@"; }; source <(botcli completion bash); ${code}; printf "%s\\n" "\${COMPREPLY[@]}"'`,
    );
  const values: [line: string, ...values: string[]][] = [
    ['botcli init --stt=soni', 'soniox_stt'],
    ['botcli init my-bot --mode=', 'cascade', 'realtime'],
    ['botcli init --config=bot.j'],
  ];
  for (const [line, ...expected] of values) {
    it(`completes ${line} in bash`, async () => {
      const completed = await inBash(`COMP_LINE="${line}" COMP_POINT=${line.length}; __botcli_value`);
      assert.deepEqual(completed.split('\n').filter(Boolean), expected);
    });
  }

  it('completes a value in bash', async () => {
    const words = `cur=\${COMP_WORDS[3]} prev=\${COMP_WORDS[2]} words=("\${COMP_WORDS[@]}") cword=3`;
    const code = `_get_comp_words_by_ref() { ${words}; }; compopt() { :; }
      COMP_WORDS=(botcli init -t tel_a_rtc_sip_dialo) COMP_CWORD=3; __botcli_complete`;
    assert.equal(await inBash(code), 'tel_a_rtc_sip_dialout');
  });

  for (const [shell, sign] of Object.entries({
    bash: 'complete -F',
    zsh: '#compdef botcli',
    fish: 'complete -c botcli',
    powershell: 'Register-ArgumentCompleter',
  })) {
    it(`has a script for ${shell}`, async () => assert((await printed(`botcli completion ${shell}`)).includes(sign)));
  }

  sessionIt('refuses other shells, and never shows or suggests the command for scripts', async ({ fail, succeed }) => {
    const known = 'Unknown shell "elvish". Supported: bash, zsh, fish, powershell\n';
    assert.equal(await fail(2, 'completion elvish'), `error: ${known}`);
    assert.match(await fail(2, 'completion bsh'), /powershell\nDid you mean bash\?\n$/);
    assert.match(await fail(2, 'complet'), /Did you mean botcli completion\?/);
    assert.doesNotMatch(await succeed('--help'), /complete {2}/);
  });
});
