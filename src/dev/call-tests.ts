import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Turn } from '../calls/call.ts';
import { CALL, COMMON, findCall, openCalls } from '../calls/command.ts';
import type { Facts } from '../check/checks/facts.ts';
import { readFacts } from '../check/gather.ts';
import { updateLine } from '../config/command.ts';
import { allOf, attempt, type ExitCode, ignoring, type UserError, usageError } from '../errors.ts';
import { defineCommand } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { parsedJson } from '../std.ts';
import { onOneLine, withoutMarks } from '../text.ts';
import { chooseEvals, takesText } from './evals.ts';
import { makeDirectory } from './fresh-bot.ts';
import { commandIn } from './parts.ts';
import { withProject } from './prepare.ts';
import { runProcess } from './supervise.ts';
import { type Stop, untilStopped } from './surroundings.ts';
import { keepConversation, nameProblem } from './talk/keep.ts';
import { createShow } from './talk/show.ts';
import { evalsOrder, installServer } from './test-command.ts';

export const pinCall = defineCommand({
  description:
    'It writes server/evals/NAME.yaml: what the person said, and what the bot must do about it, up to a turn. Then it ' +
    'runs the scenario once, and says whether it passed. Change what it expects, and fix the bot until it does.',
  arguments: [
    { ...CALL, required: true },
    { name: 'name', required: true, help: "The scenario's name" },
  ],
  options: [
    {
      flag: 'turn',
      kind: 'text',
      placeholder: 'number',
      help: 'The last turn to keep (default: the last of the call)',
    },
    { flag: 'plain', kind: 'switch', help: "Keep the bot's words, rather than what its model says about them" },
    ...COMMON,
  ],
  examples: [{ line: 'botcli calls pin 3 parking --turn 6', description: 'make a test of what went wrong in turn 6' }],
  async run({ positionals: { call: word, name }, options: { turn, plain = false, json = false } }, terminal) {
    const errors: UserError[] = [];
    const found = await findCall(word, openCalls(terminal), terminal).catch(ignoring(error => errors.push(error) > 0));
    const problem = nameProblem(name);
    const all = found?.call.turns ?? [];
    const last = turn === undefined ? all.length : /^\d{1,6}$/.test(turn) ? Number(turn) : 0;
    if (problem !== undefined) errors.push(usageError(problem));
    if (found && (last < 1 || last > all.length))
      errors.push(usageError(`--turn is "${onOneLine(turn ?? '')}". The call has turns 1 to ${all.length}`));
    if (errors.length > 0) throw allOf(errors);
    const [first, ...rest] = all.slice(0, last);
    const greets = first?.you === undefined;
    const turns = (greets ? rest : [first, ...rest]).filter(one => one !== undefined);
    if (turns.some(({ you }) => you === '')) throw usageError('What was said in this call is not written down');
    return withOwnProject(json, terminal, async (facts, stop) => {
      if (!takesText(facts)) {
        const hint = `Add what it needs: ${updateLine('.', { eval: true }, terminal.env)}`;
        throw usageError('This bot has no test conversations yet', { hint });
      }
      const conversation = { greeting: greets ? (first?.bot ?? '') : '', turns: turns.map(keptTurn) };
      const kept = await keepConversation(
        { ...conversation, name, command: 'calls pin', facts, plain },
        stop,
        terminal,
      );
      if (json) terminal.printJson(kept);
      else createShow(terminal, false).kept(kept);
      return undefined;
    });
  },
});

/** A turn as a conversation in text has it. Tools that didn't return aren't expected. */
const keptTurn = ({ you = '', bot, tools, interruptedAfter }: Turn) => ({
  said: you,
  calls: tools.filter(({ isDone }) => isDone).map(({ failure: _, ...tool }) => ({ ...tool, result: null })),
  answer: bot,
  written: bot,
  // A journal doesn't say what came before the calls.
  last: '',
  ...(interruptedAfter !== undefined && bot === '' && { flaw: 'interrupted' as const }),
});

export const judgeCall = defineCommand({
  description:
    "It lets the framework's judge decide whether the bot did its job in a call, as a simulation in server/evals/ says: " +
    'its success, and its metrics. It exits with 1 if not.',
  arguments: [CALL, { name: 'scenario', help: 'The simulation to judge by (default: the only one)' }],
  options: COMMON,
  examples: [{ line: 'botcli calls judge 3', description: 'whether the bot did its job in call 3' }],
  async run({ positionals: { call: word, scenario }, options: { json = false } }, terminal) {
    const opened = openCalls(terminal);
    const errors: UserError[] = [];
    const named = await findCall(word, opened, terminal).catch(ignoring(error => errors.push(error) > 0));
    const words = scenario === undefined ? [] : [scenario];
    const choice = { words, simulation: true };
    const evals = attempt(() => chooseEvals(opened.root, terminal.cwd, choice), errors);
    if (!named || !evals) throw allOf(errors);
    const { call } = named;
    const found = evals.filter(({ kind }) => kind === 'simulation');
    const [path] = found.map(one => posix.relative('server', one.path));
    if (path === undefined || found.length > 1) {
      const names = found.map(({ name }) => name).join(', ');
      throw usageError(path === undefined ? 'There is no simulation to judge by' : 'Name the simulation to judge by', {
        hint: names ? `There are ${names}.` : 'A simulation is a scenario with a persona: botcli guide evals',
      });
    }
    return withOwnProject(json, terminal, async (facts, stop) => {
      const directory = await makeDirectory(terminal, 'calls');
      try {
        const [file, output] = [join(directory, 'call.json'), join(directory, 'judged.jsonl')];
        await writeFile(file, JSON.stringify(conversationOf(call.turns)));
        const order = evalsOrder(['judge', path, file, '-o', output, '-v']);
        const show = (lines: readonly string[]) =>
          json ? undefined : terminal.printPaced(withoutMarks(lines.filter(line => !line.includes(output)).join('\n')));
        const { code } = await runProcess(commandIn(facts, order, terminal), show, stop);
        const judged = parsedJson(await readFile(output, 'utf8').catch(() => ''));
        if (json) terminal.printJson({ ok: code === 0, judgement: judged ?? null });
        return code === 0 ? undefined : 1;
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    });
  },
});

/** A call as the framework's judge reads it. */
const conversationOf = (turns: readonly Turn[]) =>
  turns.flatMap(({ you, bot, tools }) => [
    ...(you ? [{ role: 'user', content: you }] : []),
    ...tools.map(tool => ({
      role: 'tool_call',
      name: tool.name,
      arguments: tool.arguments,
      cancelled: !tool.isDone,
    })),
    ...(bot ? [{ role: 'assistant', content: bot }] : []),
  ]);

/** Does something with the project of the working directory, after its checks, with its packages. */
const withOwnProject = (
  json: boolean,
  terminal: Terminal,
  use: (facts: Facts, stop: Stop) => Promise<1 | undefined>,
): Promise<ExitCode | undefined> =>
  untilStopped(terminal, stop => {
    const files = readFacts('.', terminal, { command: 'calls' });
    return withProject({ files, json, asks: false }, stop, terminal, async facts => {
      await installServer(facts, json, stop, terminal);
      return use(facts, stop);
    });
  });
