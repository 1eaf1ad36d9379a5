import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BOT, type Session, sessionIt, type Tree } from '../support/session.ts';
import { expectNothingLost, ownedIt } from './project.ts';

const REALTIME = '-m realtime --realtime openai_realtime';
const CLIENT = '--client-framework component';
const PHONE = BOT.replace('rtc_local', 'tel_a');
const SPOKEN = `-t rtc_local ${REALTIME}`;
const SERVICES = BOT.replace('-t rtc_local ', '');
const DIAL_IN = `-t rtc_hosted_pstn -t rtc_hosted --daily-pstn-mode dial-in ${SERVICES}`;

/** Options of a project, what is typed later, and the options that make the same bot at once. */
const changes: readonly [made: string, typed: string, like: string][] = [
  [BOT, '--eval', `${BOT} --eval`],
  [`${BOT} --eval`, '--no-eval', BOT],
  [BOT, '--recording --transcription --observability', `${BOT} --recording --transcription --observability`],
  [BOT, '--no-deploy-to-cloud', `${BOT} --no-deploy-to-cloud`],
  [BOT, '--tts cartesia_tts', BOT.replace('openai_tts', 'cartesia_tts')],
  [BOT, '--llm anthropic_llm', BOT.replace('openai_llm', 'anthropic_llm')],
  [BOT, '--stt deepgram_stt --language de', `${BOT.replace('openai_stt', 'deepgram_stt')} --language de`],
  [`${BOT} --language de`, '--language none', BOT],
  [BOT, '--realtime openai_realtime', SPOKEN],
  [BOT, REALTIME, SPOKEN],
  [SPOKEN, SERVICES, BOT],
  [SPOKEN, SERVICES.replace('-m cascade ', ''), BOT],
  [BOT, '-t tel_a', PHONE],
  [BOT, '-t rtc_local -t tel_a', `${BOT} -t tel_a`],
  [PHONE, '-t rtc_hosted', BOT.replace('rtc_local', 'rtc_hosted')],
  [BOT, '-t tel_a_rtc_sip --twilio-daily-sip-mode dial-in', BOT.replace('rtc_local', 'tel_a_rtc_sip_dialin')],
  [DIAL_IN, '-t tel_a_rtc_sip_dialin', `-t tel_a_rtc_sip_dialin ${SERVICES}`],
  [DIAL_IN, '--daily-pstn-mode dial-out', DIAL_IN.replace('dial-in', 'dial-out')],
  [DIAL_IN, '-t rtc_hosted_pstn', `-t rtc_hosted_pstn_dialin ${SERVICES}`],
  [DIAL_IN, '-t rtc_hosted_pstn_dialout', `-t rtc_hosted_pstn_dialout ${SERVICES}`],
  [DIAL_IN, '-t rtc_local', BOT],
  [BOT, CLIENT, `${BOT} ${CLIENT}`],
  [`${BOT} ${CLIENT}`, '-t rtc_hosted', `-t rtc_hosted ${SERVICES} ${CLIENT}`],
  [`${BOT} ${CLIENT} --video-input`, '-t tel_a --client-framework none', PHONE],
  [`${BOT} ${CLIENT}`, '--client-server fullstack', `${BOT} ${CLIENT} --client-server fullstack`],
  [`${BOT} ${CLIENT}`, '--client-framework vanilla --video-input', `${BOT} --client-framework vanilla --video-input`],
  [`${BOT} ${CLIENT}`, '--client-framework none', BOT],
  [BOT, '--video tavus_video', `${BOT} --video tavus_video`],
  [`${BOT} --video tavus_video`, '--video none', BOT],
  [`${BOT} --video tavus_video`, '--video none --no-video-output', BOT],
  [`${BOT} --enable-noisecancel`, '--no-deploy-to-cloud', `${BOT} --no-deploy-to-cloud`],
  [`${BOT} --no-deploy-to-cloud`, '--enable-noisecancel', `${BOT} --enable-noisecancel`],
  [BOT, '--name Other', BOT.replace('-m', '--name Other -m')],
];

/** Choices that need another one, or contradict each other. */
const incomplete: readonly [made: string, typed: string, ...problems: RegExp[]][] = [
  [SPOKEN, '-m cascade', /--stt is missing/, /--llm is missing/, /--tts is missing/],
  [BOT, '-m realtime', /--realtime is missing/],
  [SPOKEN, '--stt openai_stt', /--llm is missing/, /--tts is missing/],
  [BOT, '-m cascade --realtime openai_realtime', /--realtime can't be used with mode cascade/],
  [`${BOT} ${CLIENT}`, '-t tel_a --client-framework vanilla', /--client-framework/],
  [BOT, '-t rtc_hosted_pstn', /--daily-pstn-mode is/],
  [
    BOT.replace('openai_stt', 'deepgram_flux_stt'),
    '--language sw',
    /"stt_service" in \.botcli\.json can't be deepgram_flux_stt: it doesn't know Swahili/,
  ],
];

/** A project's files below a directory. */
const within = (directory: string, tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree).flatMap(([path, text]) =>
      path.startsWith(`${directory}/`) ? [[path.slice(directory.length + 1), text]] : [],
    ),
  );

const named = (options: string) => (options.includes('--name') ? options : `--name bot ${options}`);

describe('botcli update without edits', () => {
  for (const [made, typed, like] of changes) {
    sessionIt(`${made}: ${typed} gives what init gives`, async ({ succeed, tree }) => {
      await succeed(`init bot ${named(made)}`);
      await succeed(`init like ${named(like)}`);
      await succeed(`update bot ${typed}`);
      assert.deepEqual(within('bot', tree()), within('like', tree()));
    });
  }

  for (const [made, typed, ...problems] of incomplete) {
    sessionIt(`${made}: ${typed} is refused`, async ({ succeed, fail }) => {
      await succeed(`init bot ${made}`);
      const stderr = await fail(2, `update bot ${typed}`);
      for (const problem of problems) assert.match(stderr, problem);
    });
  }

  sessionIt('makes a quickstart bot like any other', async ({ succeed, tree }) => {
    await succeed('init quickstart');
    await succeed(`init like ${BOT} -t rtc_hosted --name botcli-quickstart --eval --journal`);
    await succeed('update botcli-quickstart --eval');
    assert.deepEqual(within('botcli-quickstart', tree()), within('like', tree()));
  });
});

/** Edits as people make them: in words, code, packages, variables and documents. */
const EDITS: Readonly<Record<string, (text: string) => string>> = {
  'server/bot.py': text =>
    text
      .replace('friendly', 'patient')
      .replace('import os\n', 'import os\nimport random\n')
      .replace(/^GREETING = .*$/m, 'GREETING = random.choice(["Say hello.", "Say hi."])'),
  'server/pyproject.toml': text => text.replace('dependencies = [\n', 'dependencies = [\n    "httpx>=0.28",\n'),
  'server/.env.example': text => `${text}\n# The shop\nSHOP_TOKEN=\n`,
  'README.md': text => text.replace('\n## ', '\nThis bot answers for the shop.\n\n## '),
  '.gitignore': text => `${text}orders.db\n`,
};

function edit({ directory }: Session): void {
  for (const [path, change] of Object.entries(EDITS)) {
    const file = join(directory, 'bot', path);
    const before = readFileSync(file, 'utf8');
    assert.notEqual(change(before), before, path);
    writeFileSync(file, change(before));
  }
}

/** Changes and their opposite. */
const there: readonly [typed: string, back: string][] = [
  ['--eval', '--no-eval'],
  ['--recording', '--no-recording'],
  ['--tts cartesia_tts', '--tts openai_tts'],
  ['--llm anthropic_llm', '--llm openai_llm'],
  [CLIENT, '--client-framework none'],
  ['-t rtc_local -t rtc_hosted', '-t rtc_local'],
  ['--observability', '--no-observability'],
  ['--no-deploy-to-cloud', '--deploy-to-cloud'],
];

describe('botcli update with edits', () => {
  for (const [typed, back] of there) {
    sessionIt(`${typed}, then ${back}, gives the project back`, async opened => {
      const { succeed, tree } = opened;
      await succeed(`init bot ${BOT}`);
      edit(opened);
      const before = tree();
      await succeed(`update bot ${typed}`);
      assert.notDeepEqual(tree(), before);
      await succeed(`update bot ${back}`);
      assert.deepEqual(tree(), before);
    });
  }

  // Each with the next, in a ring.
  const pairs = there.map(([one], at) => [one, there[(at + 1) % there.length]?.[0] ?? ''] as const);
  for (const [one, other] of pairs) {
    sessionIt(`${one} and ${other} give the same in either order`, async opened => {
      const { succeed, tree } = opened;
      await succeed(`init bot ${BOT}`);
      edit(opened);
      const before = tree();
      await succeed(`update bot ${one}`);
      await succeed(`update bot ${other}`);
      const after = tree();
      for (const [path, text] of Object.entries(before)) opened.write(path, text);
      for (const path of Object.keys(after)) if (!(path in before)) opened.remove(path);
      await succeed(`update bot ${other}`);
      await succeed(`update bot ${one}`);
      assert.deepEqual(tree(), after);
    });
  }

  sessionIt('changes nothing the second time', async opened => {
    const { succeed, disk } = opened;
    await succeed(`init bot ${BOT}`);
    edit(opened);
    await succeed('update bot --eval --tts cartesia_tts');
    const before = disk();
    assert.equal(await succeed('update bot'), 'bot is up to date.\n');
    assert.deepEqual(disk(), before);
  });
});

describe('botcli update of a bot.py with 50,000 lines', () => {
  const CODE = 'bot/server/bot.py';
  ownedIt('merges lines that its owner added', async ({ read, succeed, tree, write, written }) => {
    write(CODE, `${read(CODE)}\n${'x = 1\n'.repeat(50_000)}`);
    const mine = tree();
    assert.match(await succeed('update bot --recording'), /merged {4}server\/bot\.py \(with your edits\)/);
    expectNothingLost(written, mine, tree());
  });

  ownedIt('changes nothing, and says why, if none is ours', async ({ fail, write }) => {
    write(CODE, Array.from({ length: 50_000 }, (_, line) => `x${line}`).join('\r\n'));
    assert.match(await fail(1, 'update bot --recording'), /You removed or moved these lines/);
  });
});
