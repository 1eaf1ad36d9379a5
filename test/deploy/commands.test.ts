import assert from 'node:assert/strict';
import { writeLog } from '../../scripts/local-cloud/agents.ts';
import { openSession } from '../../scripts/local-cloud/sessions.ts';
import { SECRET } from '../support/cloud-session.ts';
import { acmeWith, answer, changesOf, type DeploySession, deployIt, KEY, SET } from '../support/deploys.ts';

const ID = '3f1c09aa-0000-4000-8000-000000000000';

/** A test whose agent is deployed. */
const deployedIt = (title: string, use: Parameters<typeof deployIt>[2]) =>
  deployIt(title, {}, async session => {
    await session.succeed('cloud deploy --skip');
    session.requests();
    await use(session);
  });

describe('cloud status', () => {
  deployedIt('says what runs, and whether it is these files', async session => {
    openSession(session.agent());
    const stdout = await session.succeed('cloud status');
    assert.match(
      stdout,
      /^bot: ready, in us-west\n {2}Organization: {2}acme\n {2}Deployment: {4}[0-9a-f]{8} \(build [0-9a-f]{8}\), \d+s ago\n/,
    );
    assert.match(stdout, /\n {2}Calls: {9}1 in progress\n {2}Files: {9}the same as here\n$/);
    session.write('server/extra.py', 'X = 1\n');
    assert.match(await session.succeed('cloud status bot'), /Files: {9}not the same as here/);
    const facts = await session.json('cloud status');
    assert.deepEqual([facts.agent, facts.state, facts.sessions, facts.is_these_files], ['bot', 'ready', 1, false]);
  });

  deployedIt('does not call an agent ready that is not', async session => {
    session.agent().trouble = 'bot-crash';
    delete session.agent().ready;
    for (let look = 0; look < 3; look += 1) await session.succeed('cloud status --json');
    const failed = /^bot: failed: it was restarted \d+ times \(CrashLoopBackOff, exit code 1\), in us-west\n/;
    assert.match(await session.succeed('cloud status'), failed);
  });

  deployedIt('lists all agents', async session => {
    assert.match(await session.succeed('cloud status --all'), /^bot\tus-west\tready\t[0-9a-f]{8}\n$/);
    assert.equal((await session.json('cloud status --all')).agents.length, 1);
  });

  deployedIt('shows no agent that was deleted, if the platform still does', async session => {
    const agent = { name: 'bot', region: 'us-west', deletedAt: '2026-01-01T00:00:00Z' };
    session.cloud.fault({ method: 'GET', path: /services$/, fault: answer(200, { services: [agent] }) });
    session.cloud.fault({ method: 'GET', path: /services\/bot$/, fault: answer(200, { body: agent }) });
    assert.deepEqual((await session.json('cloud status --all')).agents, []);
    assert.match(await session.fail(1, 'cloud status bot'), /^error: There is no agent "bot"/);
  });
});

describe('an organization that is not yours', () => {
  for (const line of ['status', 'logs bot', 'sessions list bot']) {
    deployedIt(`is named by cloud ${line}`, async session => {
      assert.match(await session.fail(1, `cloud ${line} -o nobodys`), /no access to .* in organization nobodys:/);
    });
  }
});

describe('cloud logs', () => {
  /** Adds lines to the log of the deployment. */
  const log = ({ agent }: DeploySession, ...lines: string[]) => {
    for (const line of lines) writeLog(agent(), agent().deployments[0]?.id ?? '', line);
  };

  deployedIt('shows settings of server/.env', async session => {
    const [model, url] = ['gpt-4.1-mini-2025', `https://me:${SECRET}@a.test/v1`];
    session.write('server/.env', `OPENAI_API_KEY=${SECRET}\nOPENAI_MODEL=${model}\nOPENAI_BASE_URL=${url}\n`);
    log(session, `${model} at ${url} refuses ${SECRET}`);
    assert.equal(await session.succeed('cloud logs --limit 1'), 'gpt-4.1-mini-2025 at … refuses …\n');
  });

  deployedIt('prints the last lines, with a level, as text or JSON, and hides what server/.env has', async session => {
    const line = (key: string) => `2026-11-23 01:00:00.000 | ERROR    | bot:run:1 | ${ID} - key ${key}`;
    log(session, line(SECRET), 'Traceback (most recent call last):', 'INFO:     fine');
    const shown = `${line('…')}\nTraceback (most recent call last):\n`;
    assert.equal(await session.succeed('cloud logs --level error'), shown);
    const [first = ''] = (await session.succeed('cloud logs --json --level error')).split('\n');
    const { time, ...others } = JSON.parse(first);
    assert.match(time, /^\d{4}-/);
    const deployment = session.agent().deployments[0]?.id;
    assert.deepEqual(others, { level: 'error', session: ID, deployment, text: line('…') });
    assert.equal(await session.succeed('cloud logs --limit 1'), 'INFO:     fine\n');
    const none =
      'None of these are in the last lines of the log of bot (1). To look further back, add --limit 10000.\n';
    const nothing = { code: 0, stdout: '', stderr: none, waits: [] };
    assert.deepEqual(await session.run('cloud logs --level error --limit 1'), nothing);
    assert.match(await session.succeed('cloud logs --build latest'), /exporting to image/);
  });

  deployedIt('gives a line without a level that of the one before it, in its deployment', async session => {
    const rows: [deployment: string, line: string, level: string | null][] = [
      ['c', 'KeyError: "Y"', null],
      ['a', '2026-11-23 01:00:00.000 | WARNING  | bot:run:12 | ID - careful', 'warning'],
      ['b', 'INFO:     Started [1]', 'info'],
      ['a', 'KeyError: "X"', 'warning'],
      ['b', 'some information', 'info'],
      ['a', 'INFO: fine again', 'info'],
      ['a', 'more', 'info'],
    ];
    for (const [deployment, line] of rows) writeLog(session.agent(), deployment, line);
    const levels = (await session.succeed(`cloud logs --json --limit ${rows.length}`)).match(/(?<="level":).*?(?=,)/g);
    assert.deepEqual(
      levels,
      rows.map(([, , level]) => JSON.stringify(level)),
    );
    // One before any level is shown, too.
    const shown = [0, 1, 3].map(at => `${rows[at]?.[1]}\n`).join('');
    assert.equal(await session.succeed(`cloud logs --level warning --limit ${rows.length}`), shown);
  });

  deployedIt('reads fewer lines of a build whose log is too long, and says so', async session => {
    const body = { logs: ['x'.repeat(9 * 2 ** 20)] };
    session.cloud.fault({ path: /\/logs\?limit=10{3,4}$/, fault: answer(200, body) });
    const { code, stdout, stderr } = await session.run('cloud logs --build latest --limit 10000');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /exporting to image/);
    assert.match(stderr, /^The log is too long to read whole\. Its last \d+ lines:\n/);
    assert.equal((await session.succeed('cloud logs --build latest --limit 1')).split('\n').length, 2);
  });

  deployedIt('shows what there is of a log with lines that have no text or no time', async session => {
    const timestamp = '1764000000000000000';
    const lines = Object.entries({ fine: timestamp, '': timestamp, 'no time': null });
    const logs = lines.map(([log, time]) => ({ log: log || null, timestamp: time }));
    session.cloud.fault({ path: '/logs', fault: answer(200, { logs }) });
    assert.equal(await session.succeed('cloud logs'), 'no time\n\nfine\n');
    const times = (await session.succeed('cloud logs --json')).trim().split('\n');
    const shown = times.map(line => JSON.parse(line).time);
    assert.deepEqual(shown, [null, '2025-11-24T16:00:00.000Z', '2025-11-24T16:00:00.000Z']);
  });

  deployedIt('follows the log over faults, until the login ends', async session => {
    let number = 0;
    session.cloud.fault({ path: '/logs', after: 40, fault: answer(401) });
    session.cloud.fault({ path: '/logs', after: 3, times: 8, fault: { kind: 'html', status: 502 } });
    const timer = setInterval(() => {
      number += 1;
      log(session, `line ${number}`);
    }, 20);
    const { code, stdout, stderr } = await session.run('cloud logs --follow');
    clearInterval(timer);
    assert.equal(code, 1);
    assert.match(stderr, /botcli goes on trying\.\nConnected again\.\n[\s\S]*rejected the token/);
    const shown = [...stdout.matchAll(/^line (\d+)$/gm)].map(match => Number(match[1]));
    assert(shown.length > 0 && shown.every((one, at) => one === at + 1), `${shown}`);
  });

  deployedIt('prints an error as one line of JSON, as it prints the lines of the log', async session => {
    log(session, 'one');
    session.cloud.fault({ path: '/logs', after: 3, fault: answer(401) });
    const { code, stdout } = await session.run('cloud logs --follow --json');
    const lines = stdout.trimEnd().split('\n');
    const objects = lines.map(line => JSON.parse(line));
    assert.deepEqual([code, objects.at(-1).error.code], [1, 'unauthorized']);
    assert.ok(objects.some(({ text }) => text === 'one'));
  });

  deployedIt('prints nothing about Ctrl-C between lines of JSON', async session => {
    const isAsked = () => session.requests().some(request => request.includes('/logs'));
    const { code, stdout } = await session.interrupt('cloud logs --follow --json', isAsked);
    assert.equal(code, 130);
    for (const line of stdout.split('\n').filter(Boolean)) assert.ok('text' in JSON.parse(line), line);
  });

  const wrong: [line: string, message: RegExp][] = [
    ['--since yesterday', /--since must be like 15m/],
    ['--level loud --limit 0', /2 problems; nothing was sent:\n {2}--level must be one of[\s\S]*--limit must be/],
    ['--session ..', /--session must be the ID of a session/],
    ['--build ../services/bot', /--build must be the ID of a build, or latest/],
    ['../x', /The name of the agent must be/],
  ];
  for (const [line, message] of wrong) {
    deployIt(`refuses logs ${line}`, {}, async session => {
      assert.match(await session.fail(2, `cloud logs ${line}`), message);
      assert.deepEqual(session.requests(), []);
    });
  }

  deployedIt('says what it waits for if the platform sends its answer drop by drop', async session => {
    session.cloud.fault({ path: '/logs', fault: { kind: 'drip', ms: 50 } });
    const late = /^Waiting for (\S+) to respond\.\nerror: \1 didn't send a complete response in time \(3 tries\)\n/;
    assert.match(await session.fail(1, 'cloud logs', { env: { BOTCLI_HTTP_TIMEOUT: '2' } }), late);
  });
});

describe('cloud rollback', () => {
  deployedIt('deploys the build before this one again, with the settings of now', async session => {
    const first = session.agent().deployments[0];
    const id = first?.id.slice(0, 8) ?? '';
    session.write('server/extra.py', 'X = 1\n');
    await session.succeed('cloud deploy --skip');
    const { stdout, stderr } = await session.run('cloud rollback --skip');
    assert.match(stderr, /Now: {10}[0-9a-f]{8} \(build [0-9a-f]{8}\), \d+s ago\nThen: {9}[0-9a-f]{8} \(build/);
    assert.match(stdout, new RegExp(`^bot runs deployment [0-9a-f]{8}, with the image of ${id}\n$`));
    const newest = session.agent().deployments.at(-1);
    assert.deepEqual([newest?.settings.buildId, newest?.settings.secretSet], [first?.settings.buildId, SET]);
    assert.equal((session.sent('PUT') as { forceRedeploy: boolean }).forceRedeploy, true);
    // A deployment can be named by its first digits.
    await session.succeed('cloud deploy --skip');
    assert.notEqual((await session.json(`cloud rollback ${id} --skip`)).deployment, first?.id);
    assert.match(await session.fail(1, `cloud rollback bot ${ID} --skip`), /bot has no deployment 3f1c09aa/);
  });

  deployedIt('refuses the deployment that runs now, and others of its image', async session => {
    await session.succeed('cloud deploy --skip --force');
    session.requests();
    const refused =
      /^error: bot runs the image of [0-9a-f]{8} already\nTo list what was deployed, look at the dashboard\. bot is as it was\.\n$/;
    for (const { id } of session.agent().deployments)
      assert.match(await session.fail(1, `cloud rollback ${id} --skip`), refused);
    assert.deepEqual(changesOf(session), []);
  });

  deployedIt('skips what an agent went back from, unless it is named', async session => {
    for (const text of ['X = 1\n', 'X = 2\n']) {
      session.write('server/extra.py', text);
      await session.succeed('cloud deploy --skip');
    }
    const [first, second, bad] = session.agent().deployments;
    const built = () => session.agent().deployments.at(-1)?.settings.buildId;
    await session.succeed('cloud rollback --skip');
    assert.equal(built(), second?.settings.buildId);
    const { stderr } = await session.run('cloud rollback --skip');
    const skipped = `${bad?.id.slice(0, 8)} \\(build [0-9a-f]{8}\\), \\d+s ago`;
    assert.match(stderr, new RegExp(`\nThen: {9}.*\nSkipped: {6}${skipped}: bot went back from it\n`));
    assert.equal(built(), first?.settings.buildId);
    session.requests();
    const last =
      /^error: bot has no earlier deployment with another image\nbot went back from [0-9a-f]{8} .* ago\. To deploy it again: botcli cloud rollback bot [0-9a-f]{8} -o acme\n$/;
    assert.match(await session.fail(1, 'cloud rollback --skip'), last);
    assert.deepEqual(changesOf(session), []);
    await session.succeed(`cloud rollback ${bad?.id} --skip`);
    assert.equal(built(), bad?.settings.buildId);
    // What ran before that is no longer what it went back from.
    assert.doesNotMatch((await session.run('cloud rollback --skip')).stderr, /Skipped/);
    assert.equal(built(), first?.settings.buildId);
  });

  deployedIt('changes nothing if there is nothing to return to', async session => {
    assert.match(await session.fail(1, 'cloud rollback --skip'), /has no earlier deployment with another image/);
    assert.deepEqual(changesOf(session), []);
  });
});

describe('cloud sessions', () => {
  deployedIt('lists sessions, and stops one', async session => {
    const { sessionId } = openSession(session.agent());
    assert.match(await session.succeed('cloud sessions list'), new RegExp(`^${sessionId}\tactive\t`));
    assert.equal(await session.succeed(`cloud sessions stop ${sessionId} --skip`), `✓ Stopped session ${sessionId}\n`);
    assert.match(await session.succeed(`cloud sessions stop ${sessionId} --skip`), /is over already \(terminated\)/);
    assert.equal(await session.succeed('cloud sessions list --active'), '');
    assert.match(await session.fail(1, `cloud sessions stop ${ID} --skip`), /bot has no session 3f1c09aa/);
    assert.match(await session.fail(2, 'cloud sessions stop .. --skip'), /<session> must be an ID/);
  });

  deployedIt('does not claim to have stopped a session that goes on', async session => {
    const { sessionId } = openSession(session.agent());
    const body = { status: 'terminated', session_id: sessionId };
    session.cloud.fault({ method: 'DELETE', fault: answer(200, body) });
    assert.match(await session.fail(1, `cloud sessions stop ${sessionId} --skip`), /The session goes on after/);
  });
});

describe('cloud delete', () => {
  deployedIt('deletes an agent, and looks whether it is gone', async session => {
    openSession(session.agent());
    const { stdout, stderr } = await session.run('cloud delete --skip');
    assert.equal(stdout, '✓ Deleted bot. Its secret set stays.\n');
    assert.match(stderr, /region us-west; calls in progress, which go on: 1\. Nobody can call it afterwards\./);
    assert.deepEqual([session.acme.agents.size, session.acme.sets.size], [0, 1]);
    assert.match(await session.fail(1, 'cloud delete bott --skip'), /There is no agent "bott" in organization acme/);
  });

  deployedIt('does not claim what did not happen', async session => {
    session.cloud.fault({ method: 'DELETE', fault: answer(200, { status: 'OK' }) });
    assert.match(await session.fail(1, 'cloud delete --skip'), /bot still exists after the request to delete bot/);
  });

  deployIt('needs a name outside a project, and --skip without a terminal', { files: {} }, async session => {
    const nameless = /^error: Which agent\?[^\n]*\n.* run: botcli cloud status --all -o acme\n/;
    assert.match(await session.fail(2, 'cloud delete --skip -o acme'), nameless);
    assert.match(await session.fail(2, 'cloud delete bot'), /asks for confirmation/);
    assert.deepEqual(session.requests(), []);
  });
});

describe('no output of these commands', () => {
  deployIt('has a secret, though the platform quotes what it was sent', { acme: acmeWith([]) }, async session => {
    session.write('keys', `${KEY}=${SECRET}\n`);
    session.cloud.fault({ method: 'PUT', fault: { kind: 'answer', status: 400, echo: true } });
    // Sessions check that no output contains a secret.
    await session.run('cloud deploy --secrets keys --skip --json --debug');
    session.cloud.clearFaults();
    session.cloud.fault({ fault: { kind: 'answer', status: 400, echo: true } });
    for (const line of ['status', 'logs', 'rollback --skip', 'sessions list', 'delete --skip', 'deploy --skip'])
      assert.equal((await session.run(`cloud ${line} --debug`)).code, 1);
  });
});
