import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EDITS } from '../merge/edits.ts';
import { passTextEvals } from './conversations/evals.ts';
import { expect } from './expect.ts';
import { run, runWell } from './processes.ts';
import { BOTCLI, makeProject, OPENAI } from './projects.ts';
import type { Report } from './report.ts';
import { fillVariables, withBot } from './running-bot.ts';
import { cleanEnvironment, listVariables, runUv, WORKSHOP } from './workshop.ts';

/** What the project's owner writes on the first day: code that needs no variables, in places that any bot has. */
const FIRST_DAY = Object.values(EDITS)
  .flat()
  .map(([path, from, to]) =>
    from.includes('# Writes the reply')
      ? ([
          path,
          '            assistant_aggregator,',
          '            Shout(),\n            assistant_aggregator,',
        ] as const)
      : ([path, from, to.replace('os.environ["SHOP_URL"]', 'os.getenv("SHOP_URL", "")')] as const),
  );
const TEMPERATURE = '            temperature=0.3,\n';

/** What must still be in the code at the end of the week. */
const KEPT = ['restaurant Luigi', 'get_hours,', 'Shout(),', 'SHOP = httpx', 'Greet the guest'];

/** The days after that: the options of an update, and whether text evals can talk to the bot. */
const DAYS: readonly [about: string, options: string, talks: boolean][] = [
  ['adds evals', '--eval', true],
  ['adds a phone line', '-t rtc_local -t tel_a', true],
  ['moves to the browser, with a client', '-t rtc_local --client-framework vanilla', true],
  ['swaps the voice', '--tts cartesia_tts', false],
];

/** A user's week: a project is edited, then updated day by day, and works every evening. */
export async function checkWeek(report: Report): Promise<void> {
  const parent = join(WORKSHOP, 'week');
  const directory = join(parent, 'week');
  await report.check('week', 'is generated and edited', async () => {
    await makeProject({ name: 'week', config: { ...OPENAI, transports: ['rtc_local'] } }, parent);
    for (const [path, from, to] of FIRST_DAY) await edit(join(directory, path), from, to);
    return `${FIRST_DAY.length} edits`;
  });
  await report.check('week', 'works', () => checkProject(directory));
  for (const [about, options, talks] of DAYS) {
    await report.check('week', about, () => updateProject(directory, options));
    await report.check('week', 'works', () => checkProject(directory));
    if (talks) await report.check('week', 'passes its text evals', () => talk(directory));
  }
  await report.check('week', 'goes to speech-to-speech, but gives it no setting of the old model', async () => {
    const realtime = '--realtime openai_realtime';
    const { code, stderr } = await run([...BOTCLI, 'update', '.', ...realtime.split(' ')], { cwd: directory });
    expect(code === 1 && stderr.includes('You gave these settings to OpenAILLMService'), `exit code ${code}`, stderr);
    await edit(join(directory, 'server/bot.py'), TEMPERATURE, '');
    return updateProject(directory, realtime);
  });
  await report.check('week', 'works', () => checkProject(directory));
}

async function edit(path: string, from: string, to: string): Promise<void> {
  const before = await readFile(path, 'utf8');
  const after = before.replace(from, to);
  expect(after !== before, `${path} has no ${from}`);
  await writeFile(path, after);
}

async function updateProject(directory: string, options: string): Promise<string> {
  const { stdout } = await runWell([...BOTCLI, 'update', '.', ...options.split(' '), '--json'], { cwd: directory });
  const code = await readFile(join(directory, 'server/bot.py'), 'utf8');
  for (const text of KEPT) expect(code.includes(text), `"${text}" is lost`, code);
  const files: { path: string; action: string }[] = JSON.parse(stdout).files;
  return files.flatMap(({ path, action }) => (action === 'merged' ? path : [])).join(', ');
}

/** What `next` says: installs, and checks the code. */
async function checkProject(directory: string): Promise<string> {
  const server = join(directory, 'server');
  await runUv(['sync', '--quiet'], server);
  await fillVariables(server);
  await runUv(['run', 'ruff', 'check', '.'], server);
  await runUv(['run', 'ruff', 'format', '--check', '.'], server);
  // A configuration in a parent directory would win over the project's own.
  await runUv(['run', 'pyright', '--project', '.'], server);
  const { all } = await listVariables(server);
  const env = cleanEnvironment(all);
  const { code, stderr } = await run([join(server, '.venv/bin/python'), '-c', 'import bot'], { cwd: server, env });
  expect(code === 0, 'bot.py can not be imported', stderr);
  return existsSync(join(directory, 'client')) ? 'ruff, pyright, import; with a client' : 'ruff, pyright, import';
}

const talk = (directory: string) => withBot({ name: 'week', server: join(directory, 'server') }, passTextEvals);
