import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expectNothingLost, type OwnedProject, ownedIt } from './project.ts';

/** What the owner did, what the terminal shows, what is true afterwards, and what is typed. */
type Case = [
  about: string,
  prepare: (project: OwnedProject) => void,
  shows: RegExp,
  line?: string,
  after?: (project: OwnedProject) => void,
];

const at = ({ directory }: OwnedProject, path: string) => join(directory, 'bot', path);
const bytes = (project: OwnedProject, path: string) => readFileSync(at(project, path));
const put = (project: OwnedProject, path: string, contents: string | Buffer) => {
  mkdirSync(dirname(at(project, path)), { recursive: true });
  writeFileSync(at(project, path), contents);
};
const patient = (project: OwnedProject) => project.edit('server/bot.py', 'friendly', 'patient');
const CODE = 'server/bot.py';
const MODES = { [CODE]: 0o755, 'README.md': 0o600, 'server/pyproject.toml': 0o444 };
const CARTESIA = '--tts cartesia_tts';
const UNKNOWN = /What botcli wrote isn't available: this botcli writes another text for the recorded choices\./;
const MERGED = /merged {4}server\/bot\.py \(with your edits\)/;

/** Cases in which the update succeeds. */
const cases: Case[] = [
  // Every row of the table of what becomes of a file.
  ['as recorded, changed: replaced', () => {}, /updated {3}README\.md\n {12}\.botcli\.json\n {12}server\/bot\.py/],
  [
    'edited, same: not even touched',
    project => {
      put(project, 'server/shutdown.py', 'mine\n');
      utimesSync(at(project, 'server/shutdown.py'), 1, 1);
    },
    /^(?!.*shutdown)/s,
    '--recording',
    project => assert.equal(statSync(at(project, 'server/shutdown.py')).mtimeMs, 1000),
  ],
  ['edited, changed: merged', patient, MERGED],

  [
    'a formatter that wrote every line in its own way',
    project => put(project, CODE, reformat(bytes(project, CODE).toString())),
    MERGED,
    CARTESIA,
    project => assert.match(bytes(project, CODE).toString(), /\n\ttts = CartesiaTTSService\(\n\t\tapi_key=/),
  ],

  // Bytes.
  [
    'CRLF',
    project => {
      patient(project);
      for (const path of [CODE, 'README.md', 'server/pyproject.toml', 'server/.env.example']) {
        put(project, path, bytes(project, path).toString().replaceAll('\n', '\r\n'));
      }
    },
    /updated {3}README\.md\n {12}\.botcli\.json\n {12}server\/\.env\.example\n {12}server\/pyproject\.toml\n {2}merged {4}server\/bot\.py/,
    CARTESIA,
    project => {
      for (const path of [CODE, 'README.md', 'server/pyproject.toml', 'server/.env.example']) {
        assert.doesNotMatch(bytes(project, path).toString(), /[^\r]\n/, path);
      }
      assert.match(bytes(project, CODE).toString(), /CartesiaTTSService\(\r\n/);
    },
  ],
  [
    'a byte order mark',
    project => put(project, CODE, `\uFEFF${bytes(project, CODE)}# mine\n`),
    MERGED,
    '--recording',
    project => assert.match(bytes(project, CODE).toString(), /^\uFEFF"""bot[\s\S]*Recorder[\s\S]*# mine\n$/),
  ],
  [
    'an executable file, a private and a read-only one',
    project => {
      patient(project);
      for (const [path, mode] of Object.entries(MODES)) chmodSync(at(project, path), mode);
    },
    MERGED,
    '--recording --eval',
    project => {
      for (const [path, mode] of Object.entries(MODES)) assert.equal(statSync(at(project, path)).mode & 0o777, mode);
    },
  ],
  [
    'a state file that a formatter changed',
    project => {
      const state = JSON.parse(`${bytes(project, '.botcli.json')}`);
      put(project, '.botcli.json', `\uFEFF${JSON.stringify(state, null, 4)}`);
    },
    /^bot is up to date\.\n$/,
    '',
  ],
  ['a .env is never read', project => mkdirSync(at(project, 'server/.env')), /updated/],

  // Links.
  [
    'a link inside the project: the file that it points to is merged, and the link stays',
    project => {
      patient(project);
      renameSync(at(project, CODE), at(project, 'server/main.py'));
      symlinkSync('main.py', at(project, CODE));
    },
    MERGED,
    '--recording',
    ({ tree }) => {
      assert.equal(tree()[`bot/${CODE}`], '-> main.py');
      assert.match(tree()['bot/server/main.py'] ?? '', /patient[\s\S]*Recorder\(\)/);
    },
  ],
  [
    'a linked file that the choices no longer have stays',
    project => {
      renameSync(at(project, 'server/container-file'), at(project, 'shared'));
      symlinkSync('../shared', at(project, 'server/container-file'));
    },
    /kept {6}server\/container-file/,
    '--no-deploy-to-cloud',
  ],

  [
    'packages and variables',
    project => {
      project.edit('server/pyproject.toml', '>=1.4,<2', '>=1.4.7,<2');
      project.edit('server/pyproject.toml', '[openai,', '[mcp,openai,');
      project.edit('server/.env.example', 'OPENAI_API_KEY=', '# OPENAI_API_KEY=');
    },
    /merged {4}server\/\.env\.example \(with your edits\)\n {12}server\/pyproject\.toml/,
    CARTESIA,
    ({ read }) => {
      assert.match(read('bot/server/pyproject.toml'), /\[cartesia,mcp,openai,runner,silero,webrtc\]/);
      assert.doesNotMatch(read('bot/server/.env.example'), /^OPENAI_API_KEY/m);
    },
  ],

  // Places.
  [
    'half deleted',
    project => rmSync(at(project, 'server'), { recursive: true }),
    /skipped {3}server\/\.dockerignore/,
    '',
  ],
];

describe('botcli update keeps all edits in a project with', () => {
  for (const [about, prepare, shows, line = '--recording', after] of cases) {
    ownedIt(about, async project => {
      prepare(project);
      const mine = project.tree();
      const dry = await project.run(`update bot ${line} --dry-run`);
      assert.deepEqual(project.tree(), mine);
      assert.match(await project.succeed(`update bot ${line}`), shows);
      assert.equal(dry.code, 0);
      expectNothingLost(project.written, mine, project.tree());
      after?.(project);
      const once = project.disk();
      assert.match(await project.succeed('update bot'), /^bot is up to date\.\n/);
      assert.deepEqual(project.disk(), once);
    });
  }
});

/** Cases in which the user has to decide. Nothing is written. */
const conflicts: [about: string, prepare: (project: OwnedProject) => void, shows: RegExp[], line?: string][] = [
  [
    'a link that leaves the project',
    project => {
      renameSync(at(project, CODE), join(project.directory, 'bot.py'));
      symlinkSync('../../bot.py', at(project, CODE));
    },
    [/server\/bot\.py {2}It leads outside the directory, through a symbolic link\./, /Not all of these/],
  ],
  [
    'a file replaced by a directory',
    project => {
      rmSync(at(project, CODE));
      mkdirSync(at(project, CODE));
    },
    [/server\/bot\.py {2}It is a directory, but must be a file\./],
  ],
  [
    'code that is not UTF-8',
    project => put(project, CODE, Buffer.from([...bytes(project, CODE), 0x23, 0xff, 0x0a])),
    [/server\/bot\.py {2}It isn't a UTF-8 text file\./],
  ],
  ['bot.py moved', p => renameSync(at(p, CODE), at(p, 'server/main.py')), [/You deleted or moved it/]],
  [
    'half deleted',
    project => rmSync(at(project, 'server'), { recursive: true }),
    [/server\/bot\.py {2}You deleted or moved it/],
  ],
  [
    'a client of their own',
    project => {
      put(project, 'client/package.json', '{\n  "name": "mine"\n}\n');
      put(project, 'client/index.html', '<h1>mine</h1>\n');
    },
    [/client\/index\.html {2}botcli would create this file/, /client\/package\.json/],
    '--client-framework vanilla',
  ],
  [
    'a record that was changed',
    project => {
      patient(project);
      project.edit('.botcli.json', /("server\/bot\.py": ")[0-9a-f]{8}/, '$100000000');
    },
    [UNKNOWN],
  ],
  [
    'recorded choices that were changed',
    project => {
      patient(project);
      project.edit('.botcli.json', '"recording": false', '"recording": true');
    },
    [UNKNOWN],
    '',
  ],
];

/** What a crude formatter does: other quotes, another indent. */
const reformat = (code: string): string =>
  code
    .replaceAll(/^( {4})+/gm, indent => '\t'.repeat(indent.length / 4))
    .replaceAll(/^(?!\t*#).*$/gm, line => line.replaceAll(/(?<!")"(?!")/g, "'"));

describe('botcli update changes nothing, and says why, in a project with', () => {
  for (const [about, prepare, shows, line = '--recording'] of conflicts) {
    ownedIt(about, async project => {
      prepare(project);
      const stderr = await project.fail(1, `update bot ${line}`);
      for (const text of shows) assert.match(stderr, text);
      assert.equal(await project.fail(1, `update bot ${line} --dry-run`), stderr);
    });
    ownedIt(`${about}, with --conflicts markers: loses nothing`, async project => {
      prepare(project);
      const mine = project.tree();
      const before = project.disk();
      const { code, stderr } = await project.run(`update bot ${line} --conflicts markers`);
      assert.equal(code, 1);
      if (/Nothing was written/.test(stderr)) assert.deepEqual(project.disk(), before);
      else assert.match(await project.fail(1, 'update bot'), /An earlier update left conflicts/);
      expectNothingLost(project.written, mine, project.tree());
    });
  }
});

describe('botcli update', () => {
  ownedIt('with --dry-run and --conflicts markers does not claim to have written anything', async project => {
    project.edit(CODE, 'model="OPENAI_TTS_MODEL"', 'model="MY_TTS_MODEL"');
    const stderr = await project.fail(1, `update bot ${CARTESIA} --dry-run --conflicts markers`);
    assert.match(stderr, /Everything else would be updated\.[\s\S]*Nothing was written\.\n$/);
  });

  ownedIt('--json has the differences in its object', async project => {
    const { diff } = JSON.parse(await project.succeed('update bot --recording --diff --json --dry-run'));
    assert.match(diff, /^--- a\/README\.md\n/);
  });

  ownedIt('leaves a service that is gone, or takes another one', async project => {
    project.edit('.botcli.json', '"openai_tts"', '"gone_tts"');
    assert.match(await project.fail(2, 'update bot --recording'), /"tts_service" in \.botcli\.json/);
    assert.match(await project.succeed(`update bot ${CARTESIA}`), /updated/);
    assert.doesNotMatch(project.read('bot/.botcli.json'), /gone_tts/);
  });

  ownedIt('finds the project in the root of a monorepo', async project => {
    const { directory, fail, succeed } = project;
    cpSync(join(directory, 'bot'), join(directory, 'mono/apps/voice'), { recursive: true });
    assert.match(await fail(2, 'update --eval', { cwd: 'mono' }), /Did you mean botcli update apps\/voice\?/);
    await succeed('update apps/voice --eval', { cwd: 'mono' });
    await succeed('update .. --recording', { cwd: 'mono/apps/voice/server' });
  });
});
