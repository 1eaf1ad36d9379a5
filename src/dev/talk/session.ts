import { rm } from 'node:fs/promises';
import { toolText } from '../../calls/explain.ts';
import type { Facts } from '../../check/checks/facts.ts';
import { type ExitCode, UserError } from '../../errors.ts';
import { readableName } from '../../project/names.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { didYouMean, excerpt, onOneLine, shortened } from '../../text.ts';
import { errorIn } from '../bot-log.ts';
import { createLog, makeDirectory, withFreshBot } from '../fresh-bot.ts';
import { untilReady } from '../parts.ts';
import { type DeployedBot, installAll } from '../prepare.ts';
import { createEditCheck, watchProject } from '../restart.ts';
import type { Stop, Surroundings } from '../surroundings.ts';
import { beginConversation, type Happening, type Turn } from './conversation.ts';
import type { Show } from './show.ts';

/** A conversation to have. */
interface Talk {
  facts: Facts;
  /** The deployed bot to talk with. Default: fresh ones that are started here. */
  bot: DeployedBot | undefined;
  /** Where messages come from: the next one, or undefined once there are no more. Throws the reason of `signal`. */
  input: { next(signal: AbortSignal): Promise<string | undefined> };
  show: Show;
  /** Whether a person types, who can repair the bot and go on. */
  isTyped: boolean;
  /** Those of the command. */
  options: Partial<Readonly<Record<'restart' | 'voice' | 'details' | 'plain', boolean>>> & { keep?: string };
  /** How long the bot may be silent, in milliseconds. */
  patience: number;
  /** When the command was started, as `Date.now()` says it. */
  since: number;
}

type Cause = NonNullable<NonNullable<ReturnType<typeof errorIn>>['cause']>;

/** How often to look for the cause of an error in the log, which may come after the error, and how long to wait. */
const LOOKS = 10;
const LOOK_MS = 50;

/** A conversation, with one fresh bot after the other. */
export function openTalk(talk: Talk, { signal: asked, hurry }: Stop, terminal: Terminal) {
  const { facts, bot: deployed, input, show, isTyped, options, patience } = talk;
  const { restart = true, voice: isVoiced = false, details = false, keep: keeps, plain = false } = options;
  const { progress } = terminal;
  /** Aborted once the person leaves. */
  const leaving = new AbortController();
  /** Aborted once a fresh bot is wanted. */
  let renewing = new AbortController();
  let conversation: Awaited<ReturnType<typeof beginConversation>> | undefined;
  let port = 0;
  let greeting = '';
  /** What was said to this bot, and to the one before it. */
  let turns: Turn[] = [];
  let script: readonly Turn[] = [];
  /** What the bot has reported about the last message, and why, as far as the log says it. */
  let errors: string[] = [];
  let causes: string[] = [];
  /** What the log says about services that don't matter here. */
  const asides = new Set<string>();
  /** What Ctrl-C interrupts: an answer, or keeping. */
  let onInterrupt: (() => void) | undefined;
  /** How often it did that while everything is said again, which the second one ends. */
  let isReplaying = false;
  let interrupts = 0;
  let wasReady = false;
  /** Whether the bot has ended the conversation, and whether it has crashed and wasn't started again. */
  let hasLeft = false;
  let isBroken = false;
  /** The first thing that went wrong. */
  let fault: string | undefined;
  let place = () => `The bot's log: ${deployed?.log}`;

  const fail = (message: string) => {
    fault ??= message;
    show.problem(message, place());
  };

  /** Has the conversation. Throws if it can't go on, or the reason of `asked`. Nothing is left running. */
  const run = async (): Promise<ExitCode | undefined> => {
    const stop = { hurry, signal: AbortSignal.any([asked, leaving.signal]) };
    const report = { output: () => undefined, event: () => {}, say: show.note };
    const surroundings = { stop, report, terminal };
    try {
      await installAll(facts, surroundings);
    } catch (error) {
      asked.throwIfAborted();
      if (leaving.signal.aborted) return undefined;
      throw error;
    }
    const log = createLog(await makeDirectory(terminal, 'talk'));
    if (!deployed) place = () => log.place;
    let unwatch: (() => Promise<void>) | undefined;
    let keepsLog = true;
    try {
      if (isTyped && restart && !deployed) unwatch = await watch(surroundings);
      while (!(await isOverWith(log, stop)));
      asked.throwIfAborted();
      const notKept = keeps !== undefined && !isTyped ? fault : undefined;
      const passes = keeps === undefined || notKept !== undefined || (await keep(keeps, asked));
      keepsLog = fault !== undefined;
      const ok = passes && !keepsLog;
      show.end({ ok, notKept });
      return isBroken || (!ok && !isTyped) ? 1 : undefined;
    } catch (error) {
      keepsLog &&= error instanceof UserError && error.reason !== 'interrupted';
      if (!(error instanceof UserError) || !keepsLog) throw error;
      const last = keeps === undefined ? '' : "The conversation isn't kept.";
      throw error.withMessage(error.message, { hint: [error.hint, place(), last].filter(Boolean).join('\n') });
    } finally {
      await unwatch?.();
      if (deployed || !keepsLog) await rm(log.directory, { recursive: true, force: true });
    }
  };

  /** Wants a fresh bot when a file is saved that can work. Resolves to a function that ends that. */
  const watch = async (surroundings: Surroundings) => {
    const canStart = createEditCheck(facts, true, surroundings);
    let work = Promise.resolve();
    const onChange = async (paths: readonly string[]) => {
      if (!(await canStart(paths)) || leaving.signal.aborted) return;
      const doing = turns.length + script.length > 0 ? 'saying it all again to' : 'starting';
      show.note(`${paths.join(', ')} changed: ${doing} a fresh bot.`);
      renew();
    };
    const enqueue = (paths: readonly string[]) => {
      work = work
        .then(() => onChange(paths))
        .catch(error => {
          if (!surroundings.stop.signal.aborted) show.note(String(error?.message ?? error));
        });
    };
    const end = await watchProject(facts.project.root, enqueue, show.note);
    return async () => {
      leaving.abort(new Error('It is over'));
      await end();
      await work;
    };
  };

  /** Wants a fresh bot, to which all is said again that was said, except the last `fewer` messages. */
  const renew = (fewer = 0) => {
    const said = [...turns, ...script.slice(turns.length)];
    // What wasn't answered yet may have been answered before.
    const known = said.map((turn, at) => (isComplete(turn) ? turn : (script[at] ?? turn)));
    script = known.slice(0, known.length - fewer);
    turns = [];
    renewing.abort(new Error('A fresh bot is wanted'));
  };

  /** Talks with one bot. Returns whether it's over. */
  const isOverWith = async (log: ReturnType<typeof createLog>, stop: Stop): Promise<boolean> => {
    renewing = new AbortController();
    hasLeft = false;
    const within = { ...stop, signal: AbortSignal.any([stop.signal, renewing.signal]) };
    // Speech is no part of a conversation in text.
    const mattering = ['llm', 'realtime', ...(isVoiced ? ['tts'] : [])];
    const onLine = (line: string, gone: (error: UserError) => void) => {
      const error = errorIn(line, facts);
      if (error && !mattering.includes(error.kind)) asides.add(error.said);
      else if (error?.cause) onCause(error.cause, gone);
    };
    const doing = deployed ? 'Connecting to the bot' : 'Starting the bot';
    if (isTyped && terminal.env.TERM === 'dumb') show.note(`${doing}.`);
    else progress.show(doing);
    try {
      const conversing = deployed
        ? deployed.hold(within, (url, { signal }) => converse(url, signal))
        : withFreshBot({ facts, log, command: 'talk', onLine }, within, terminal, (url, { signal }, itsPort) => {
            port = itsPort;
            return converse(url, signal);
          });
      return await conversing.catch(error => goOnWithout(error, within.signal));
    } catch (error) {
      asked.throwIfAborted();
      if (leaving.signal.aborted) return true;
      if (renewing.signal.aborted) return false;
      throw error;
    } finally {
      conversation = undefined;
    }
  };

  /** Says why the bot is gone, and listens to a person who can repair it. Returns whether it's over. */
  const goOnWithout = async (error: unknown, signal: AbortSignal): Promise<boolean> => {
    progress.clear();
    if (signal.aborted || !isTyped || !(error instanceof UserError)) throw error;
    fault ??= error.message;
    isBroken = true;
    hasLeft = true;
    show.problem(error.message, [...error.problems.slice(-5), error.hint, place()].filter(Boolean).join('\n'));
    const again = 'Save a file in server/ to start the bot again, or type /again.';
    show.note(deployed ? 'Type /again to try once more.' : again);
    return listen(signal);
  };

  const converse = async (url: string, signal: AbortSignal): Promise<boolean> => {
    progress.clear();
    const onProgress = (doing: string) => progress.show(`bot  ${doing}`);
    const manner = { url, settles: !deployed, isVoiced, patience, onHappening, onProgress };
    conversation = await beginConversation(manner, signal, terminal);
    isBroken = false;
    isReplaying = script.length > 0;
    interrupts = 0;
    try {
      const name = readableName(facts.project.config.project_name);
      if (!wasReady) show.ready({ name, ms: Date.now() - talk.since, isTyped, isVoiced, deployed: deployed?.facts });
      wasReady = true;
      greeting = (await say(undefined, signal)).written;
      for (const before of script) {
        if (hasLeft || interrupts > 1) break;
        show.you(before.said);
        const turn = await sayTurn(before.said, signal);
        if (isComplete(before) && turn.flaw !== 'interrupted' && !isSame(turn, before)) show.differs(before);
      }
      script = [];
      isReplaying = false;
      return await listen(signal);
    } finally {
      isReplaying = false;
      conversation.close();
    }
  };

  /** Takes messages until there are no more. Returns whether it's over. */
  const listen = async (signal: AbortSignal): Promise<boolean> => {
    for (;;) {
      const typed = await input.next(signal);
      const line = isTyped && typed !== undefined ? readLine(typed) : { say: typed };
      if ('command' in line) {
        if (line.command === 'quit') return true;
        if (line.command === 'help' || line.command === 'unknown') show.note(line.help);
        else if (line.command === 'keep') await keepAsTyped(line.word, signal);
        else if (turns.length === 0 && line.command === 'back') show.note("You haven't said anything yet.");
        else renew(line.command === 'back' ? 1 : 0);
        signal.throwIfAborted();
        continue;
      }
      if (line.say === undefined) return true;
      if (line.say.trim() === '') continue;
      if (!hasLeft && !isTyped) show.you(line.say);
      if (!hasLeft) await sayTurn(line.say, signal);
      else if (!isTyped) throw new UserError('The bot ended the conversation', { reason: 'part-ended' });
      else show.note('The bot is gone. /again starts a fresh one, /back also forgets what you said last.');
    }
  };

  /** Keeps the conversation, unless the name can't be one. */
  const keepAsTyped = async (name: string, signal: AbortSignal) => {
    const stopped = new AbortController();
    onInterrupt = () => stopped.abort(new Error('Interrupted'));
    try {
      await keep(name, AbortSignal.any([signal, stopped.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (stopped.signal.aborted) show.note('Interrupted. Nothing was kept.');
      else if (error instanceof UserError) show.problem(error.message, error.hint);
      else throw error;
    } finally {
      onInterrupt = undefined;
      progress.clear();
    }
  };

  /** Keeps the conversation as a scenario. Returns whether that passes. */
  const keep = async (name: string, signal: AbortSignal): Promise<boolean> => {
    const { keepConversation } = await import('./keep.ts');
    progress.show('Keeping the conversation, and trying it once');
    const kept = { facts, bot: deployed, name, greeting, turns: [...turns], plain };
    const result = await keepConversation(kept, { hurry, signal }, terminal);
    progress.clear();
    show.kept(result);
    asked.throwIfAborted();
    return result.passed;
  };

  const sayTurn = async (said: string, signal: AbortSignal): Promise<Turn> => {
    const at = turns.push({ said, calls: [], answer: '', written: '', last: '' }) - 1;
    const turn = { said, ...(await say(said, signal)) };
    turns[at] = turn;
    return turn;
  };

  /** Says something, and reports what goes wrong. */
  const say = async (said: string | undefined, signal: AbortSignal): Promise<Omit<Turn, 'said'>> => {
    if (!conversation) throw new Error('no conversation');
    errors = [];
    causes = [];
    onInterrupt = conversation.interrupt;
    try {
      const { end, ...answered } = await conversation.say(said);
      const lacksAnswer = said !== undefined && !isAnswered(answered);
      let flaw: Turn['flaw'] = end === 'interrupted' ? end : 'failed';
      errors = await relevantErrors(signal);
      const [error] = errors;
      if (error === undefined && end === 'silent') fail(`The bot didn't answer within ${patience / 1000} seconds`);
      else if (error === undefined && end === 'complete' && lacksAnswer) fail('The bot answered without words');
      else if (error === undefined && end !== 'interrupted' && !lacksAnswer) flaw = undefined;
      // If the log says why, that was shown at once.
      if (error !== undefined && causes.length === 0)
        fail(`The bot reports an error: ${firstLine(terminal.hidden.inError(error))}`);
      const again = isReplaying && interrupts === 1 ? ' Ctrl-C again ends saying everything again.' : '';
      if (end === 'interrupted') show.note(`Interrupted.${again}`);
      hasLeft = end === 'left';
      // If it has crashed, that is known soon. Of a deployed bot, its session is all that is known.
      if (hasLeft && !deployed) {
        await untilReady(port, () => signal.aborted, terminal);
        signal.throwIfAborted();
      }
      if (hasLeft && lacksAnswer && error === undefined) fail('The bot ended the conversation without an answer');
      if (hasLeft && isTyped) show.note('The bot has ended the conversation. /again starts it over.');
      return { ...answered, ...(flaw && { flaw }) };
    } finally {
      onInterrupt = undefined;
      progress.clear();
    }
  };

  /** The errors that have come with an answer, except those that the log puts down to a service that doesn't matter. */
  const relevantErrors = async (signal: AbortSignal): Promise<string[]> => {
    const relevant = () => errors.filter(error => ![...asides].some(said => said.includes(error)));
    for (let look = 0; look < LOOKS && causes.length === 0 && relevant().length > 0; look++)
      await terminal.sleep(LOOK_MS, signal);
    return relevant();
  };

  const onHappening = (happening: Happening) => {
    progress.clear();
    if (happening.kind === 'error') errors.push(happening.message);
    else if (happening.kind !== 'details' || details || isVoiced) show.happening(happening);
  };

  /** Takes what the log says about a service that fails. */
  const onCause = ({ message, hint, isPassing }: Cause, gone: (error: UserError) => void) => {
    if (causes.includes(message)) return;
    causes.push(message);
    fault ??= message;
    if (isTyped) show.problem(message, [hint, place()].join('\n'));
    else if (isPassing) show.problem(message, hint);
    else gone(new UserError(message, { reason: 'service-failed', hint }));
  };

  return {
    run,
    leave(): void {
      progress.clear();
      leaving.abort(new Error('The person has left'));
    },
    /** Ends what the bot is saying, or what is being kept. False if there is nothing to end. */
    interrupt(): boolean {
      if (isReplaying) interrupts += 1;
      const isBusy = isReplaying || onInterrupt !== undefined;
      onInterrupt?.();
      return isBusy;
    },
  };
}

const isAnswered = ({ answer, calls }: Pick<Turn, 'answer' | 'calls'>): boolean => answer !== '' || calls.length > 0;

/** Whether another answer can be compared with it. */
const isComplete = (turn: Turn): boolean => isAnswered(turn) && !turn.flaw;

/** Whether the bot did the same about a message: it said the same, and called the same tools. */
const isSame = (one: Turn, other: Turn): boolean => {
  const calls = (turn: Turn) => turn.calls.map(toolText).join('\n');
  return one.answer === other.answer && calls(one) === calls(other);
};

const firstLine = (text: string): string => onOneLine(shortened(text.trim().replace(/\n.*/s, ''), 500));

/** What a person can type instead of something to say. */
const COMMANDS = {
  again: 'say everything again to a fresh bot',
  back: 'the same, but without the last thing you said',
  keep: 'keep the conversation as a scenario of this name: /keep booking',
  help: 'show this',
  quit: 'end the conversation, as Ctrl-D does',
} as const;

const HELP = [
  ...Object.entries(COMMANDS).map(([name, help]) => `  /${name.padEnd(6)} ${help}`),
  '  //...   say a line that begins with /',
  'Ctrl-C interrupts the bot; twice, it ends saying everything again. While the bot is quiet, Ctrl-C ends the conversation.',
].join('\n');

const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name);

/** What a typed line is: something to say, or a command, with the help to print. */
function readLine(typed: string) {
  if (!typed.startsWith('/')) return { say: typed };
  if (typed.startsWith('//')) return { say: typed.slice(1) };
  const [, name = '', word = ''] = /^\/\s*(\S*)\s*(.*?)\s*$/s.exec(typed) ?? [];
  const unknown = (help: string) => ({ command: 'unknown' as const, word, help });
  if (name === 'keep' && word === '') return unknown('Give it a name: /keep booking');
  if (isCommand(name) && (word === '' || name === 'keep')) return { command: name, word, help: HELP };
  const meant = didYouMean(name, Object.keys(COMMANDS), one => `/${one}`) ?? 'All commands: /help.';
  return unknown(`${excerpt(typed)} isn't a command. ${meant} To say it, type /${excerpt(typed)}`);
}
