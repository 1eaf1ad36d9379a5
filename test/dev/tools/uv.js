// Stands in for uv, and for the programs that uv runs: `uv` starts it. Lines such as `# fake: crashes` in the files of a
// project say how they behave.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { takeConversations } from './talking-bot.js';

const read = path => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const saysIn = (path, what) => new RegExp(`^# fake: ${what}\\b *(.*)$`, 'm').exec(read(path))?.[1];
const has = (path, what) => saysIn(path, what) !== undefined;
/** Says that a conversation hangs, to a bot that waits for it. */
const TALKING = `${process.env.TMPDIR}/talking`;
const hang = () => setInterval(() => {}, 1000);

const [command, ...rest] = process.argv.slice(2);
const args = rest[0] === '--no-sync' ? rest.slice(1) : rest;
const note = line => process.env.FAKE_JOURNAL && appendFileSync(process.env.FAKE_JOURNAL, `${line}\n`);
note(`uv ${command} ${args[0] ?? ''}`);

if (process.env.FAKE_UV === 'hangs') hang();
else if (command === 'sync') sync();
else if (args[0] === 'bot.py' || args[0] === 'server.py') serve(args[0]);
else if (args[1] === '-c') writeCriteria(args.at(-1));
else if (args[1] === '-m') await evaluate(args.filter(word => word.endsWith('.yaml')));

function sync() {
  if (has('pyproject.toml', 'sync hangs')) hang();
  if (!has('pyproject.toml', 'sync fails')) return;
  for (let line = 1; line <= 30; line++) console.error(`resolving ${line}`);
  console.error('error: No route to the package index');
  process.exitCode = 1;
}

function serve(file) {
  const says = what => has(file, what);
  if (says('ignores signals'))
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => note(`ignores ${name}`));
  if (says('starts others')) {
    // One in its own session, and one in this group, which don't care about signals.
    const code =
      "for (const s of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(s, () => {}); setInterval(() => {}, 1000)";
    spawn(process.execPath, ['-e', code], { stdio: 'inherit', detached: true });
    spawn(process.execPath, ['-e', code], { stdio: 'inherit' });
  }
  if (says('tells its key')) console.error(`Incorrect API key: ${/^OPENAI_API_KEY=(.*)/m.exec(read('.env'))[1]}`);
  if (says('crashes')) {
    console.error('ValueError: it is broken');
    process.exit(3);
  }
  if (says('is lost in a conversation'))
    setInterval(() => {
      if (!existsSync(TALKING)) return;
      rmSync(TALKING);
      console.error('RuntimeError: it is lost');
      process.exit(4);
    }, 20);
  const lines = Number(saysIn(file, 'floods') ?? 0);
  let line = 0;
  const flood = () => {
    let text = '';
    for (let more = 0; more < 1000 && line < lines; more++) text += `line ${++line} ${'x'.repeat(60)}\n`;
    if (text) process.stdout.write(text, flood);
  };
  flood();
  if (says('never gets ready')) return hang();
  const at = args.indexOf('--port');
  const port = at < 0 ? Number(process.env.PORT ?? 8080) : Number(args[at + 1]);
  for (let call = 0; call < Number(saysIn(file, 'calls') ?? 0); call++)
    console.log(`WorkerRunner 'WorkerRunner#${call}': started running`);
  const listen = () => {
    const page = `${file} ${args.slice(1).join(' ')} ${process.env.PUBLIC_URL ?? ''}`;
    const server = createServer((_, response) => response.end(page));
    if (file === 'bot.py') takeConversations(server, what => saysIn(file, what));
    server.listen(port, 'localhost', () => {
      console.log(`${file} listens on ${port}`);
      if (says('logs')) console.error(saysIn(file, 'logs').replaceAll('\\n', '\n'));
    });
  };
  if (!says('waits') || existsSync('go')) return listen();
  console.log(`${file} waits, for ${port}`);
  const timer = setInterval(() => {
    if (!existsSync('go')) return;
    clearInterval(timer);
    listen();
  }, 20);
}

/** Stands in for the model that writes what each reply of a conversation must do. */
function writeCriteria(path) {
  if (has('evals/judge.py', 'hangs')) return hang();
  if (has('evals/judge.py', 'fails')) return process.exit(1);
  console.log('Loading the model');
  for (const [at, prompt] of JSON.parse(read(path)).prompts) {
    const said = `The bot says what comes after: ${prompt.split('Person: ').at(-1).split('\n')[0]}`;
    console.log(JSON.stringify({ at, reply: has('evals/judge.py', 'is silent') ? null : said }));
  }
}

/** Has one conversation, as the framework's evals do. Returns why it failed, if it did. */
function converse(url, path) {
  return new Promise(resolve => {
    const socket = new WebSocket(`${url}?skip_tts=true`);
    let said = '';
    let isReady = false;
    const send = (type, data) => socket.send(JSON.stringify({ label: 'rtvi-ai', type, id: type, data }));
    const end = why => {
      resolve(why);
      socket.close();
    };
    const late = () => end(isReady ? 'no response' : 'bot-ready not received');
    setTimeout(late, Number(saysIn(path, 'waits') ?? 60_000)).unref();
    socket
      .on('error', error => end(error.message))
      .on('close', code => end(isReady ? 'the bot hung up' : `closed before bot-ready (${code})`));
    socket.on('open', () => {
      if (!has(path, 'is old')) send('client-message', { t: 'eval-connect', d: { skip_tts: true } });
      send('client-ready', { version: '2.0.0' });
    });
    socket.on('message', raw => {
      const { type, data } = JSON.parse(raw);
      if (type === 'bot-ready') {
        isReady = true;
        send('send-text', { content: 'Are you open?' });
      }
      if (type === 'bot-llm-text') said += data.text;
      if (type === 'bot-llm-stopped')
        end(said.includes(saysIn(path, 'expects') ?? '') && said ? undefined : `it said "${said}"`);
    });
  });
}

async function evaluate(files) {
  const at = process.argv.indexOf('--bot-url');
  const url = process.argv[at + 1];
  const isDeployed = at >= 0 && !url.endsWith('/ws');
  const results = [];
  for (let turn = 1; turn <= Number(saysIn(files[0], 'takes') ?? 0); turn++) {
    console.log(`      turn ${turn} → response`);
    await sleep(1000);
  }
  for (const path of files.filter(file => !has(file, 'is not reported'))) {
    const disliked = saysIn(path, 'dislikes');
    let why;
    if ((disliked && read('pyproject.toml').includes(`==${disliked}`)) || has(path, 'fails')) why = 'it said "no"';
    else if (isDeployed && !has(path, 'lies')) why = await converse(url, path);
    results.push({ name: `${/^name: (.*)$/m.exec(read(path))?.[1]}/greeting`, fails: why !== undefined, why });
  }
  if (files.some(path => has(path, 'hangs with the bot'))) writeFileSync(TALKING, '');
  if (files.some(path => has(path, 'hangs'))) return hang();
  if (files.some(path => has(path, 'talks'))) {
    const talk = () => process.stdout.write(`${'word '.repeat(2000)}\n`, () => setTimeout(talk, 1));
    return talk();
  }
  if (files.some(path => has(path, 'breaks'))) {
    console.error("Traceback (most recent call last):\nModuleNotFoundError: No module named 'pipecat'");
    process.exit(1);
  }
  console.log('Scripted scenarios:');
  for (const { name, fails } of results)
    console.log(`  ${fails ? '✗' : '✓'} ${url} ${name}${fails ? ' 2/3 turns' : ''} (40ms)`);
  const failed = results.filter(({ fails }) => fails);
  if (failed.length > 0) console.log(`\n  Failures (${failed.length} of ${results.length}):\n`);
  for (const { name, why } of failed)
    console.log(`  ✗ ${url} ${name} 2/3 turns passed\n      • turn 1 response eval — ${why}`);
  console.log(`\n  ${results.length - failed.length}/${results.length} passed`);
  process.exitCode = failed.length > 0 || files.some(path => has(path, 'ends badly')) ? 1 : 0;
}
