import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Facts, valueFor } from '../../check/checks/facts.ts';
import { type ExitCode, UserError } from '../../errors.ts';
import { readableName } from '../../project/names.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { onOneLine } from '../../text.ts';
import { type Cause, errorIn } from '../bot-log.ts';
import type { DeployedBot } from '../deployed.ts';
import { makeDirectory, withFreshBot } from '../fresh-bot.ts';
import { installAll } from '../install.ts';
import { createLog } from '../output.ts';
import { STARTED_BY, untilReady } from '../parts.ts';
import { createReporter } from '../reporter.ts';
import { createEditCheck, watchProject } from '../restart.ts';
import type { Stop } from '../stop.ts';
import type { Happening, Turn } from './answer.ts';
import { beginConversation } from './conversation.ts';
import { type Input, readLine } from './lines.ts';
import { setupFile } from './settling.ts';
import { isSame, type Show } from './show.ts';

/** A conversation to have. */
export interface Talk {
  facts: Facts;
  /** The deployed bot to talk with. Default: fresh ones that are started here. */
  bot?: DeployedBot | undefined;
  input: Input;
  show: Show;
  /** Whether a person types, who can repair the bot and go on. */
  isTyped: boolean;
  restarts: boolean;
  isVoiced: boolean;
  hasDetails: boolean;
  /** The name of the scenario to keep it as in the end, if it is to be kept. */
  keeps: string | undefined;
  /** Whether a kept scenario expects the bot's words, rather than what a model makes of them. */
  isPlain: boolean;
  /** How long the bot may be silent, in milliseconds. */
  patience: number;
  /** When the command was started, as `Date.now()` says it. */
  since: number;
}

type Conversation = Awaited<ReturnType<typeof beginConversation>>;

/** How often to look for the cause of an error in the log, which may come after the error, and how long to wait. */
const LOOKS = 10;
const LOOK_MS = 50;
/** How long an installation may take without a word, in milliseconds. */
const INSTALL_MS = 2000;

/** A conversation, with one fresh bot after the other. */
export class TalkSession {
  readonly #talk: Talk;
  readonly #stop: Stop;
  readonly #terminal: Terminal;
  /** Aborted once the person leaves. */
  readonly #leaving = new AbortController();
  /** Aborted once a fresh bot is wanted. */
  #renewing = new AbortController();
  #conversation: Conversation | undefined;
  /** What was said to this bot, and what is still to be said to it again. */
  #turns: Turn[] = [];
  #script: readonly Turn[] = [];
  /** What the bot has reported about the last message, and why, as far as the log says it. */
  #errors: string[] = [];
  #causes: Cause[] = [];
  /** What the log says about services that don't matter here. */
  readonly #asides = new Set<string>();
  #port = 0;
  #greeting = '';
  #isAnswering = false;
  #interruptKeeping: (() => void) | undefined;
  #hasLeft = false;
  #wasReady = false;
  /** The first thing that went wrong. */
  #fault: string | undefined;
  /** Whether the bot has crashed, and hasn't been started again. */
  #isBroken = false;
  /** Whether everything is said again, and how often the person has interrupted that. */
  #isReplaying = false;
  #interrupts = 0;
  #place = () => '';

  constructor(talk: Talk, stop: Stop, terminal: Terminal) {
    this.#talk = talk;
    this.#stop = stop;
    this.#terminal = terminal;
  }

  /** Ends it. */
  leave(): void {
    this.#terminal.progress.clear();
    this.#leaving.abort(new Error('The person has left'));
  }

  /** Ends what the bot is saying, or what is being kept. False if there is nothing to end. */
  interrupt(): boolean {
    if (this.#isReplaying) this.#interrupts += 1;
    if (this.#isAnswering) this.#conversation?.interrupt();
    this.#interruptKeeping?.();
    return this.#isAnswering || this.#isReplaying || this.#interruptKeeping !== undefined;
  }

  /**
   * Has the conversation.
   *
   * @throws {UserError} It can't go on, or the reason of `stop.signal`. Nothing is left running.
   */
  async run(): Promise<ExitCode | undefined> {
    const { facts, bot, isTyped, keeps, show } = this.#talk;
    const stop = { ...this.#stop, signal: AbortSignal.any([this.#stop.signal, this.#leaving.signal]) };
    const report = { ...createReporter(this.#terminal, !isTyped), event: () => {}, say: show.note };
    const surroundings = { stop, report, terminal: this.#terminal };
    try {
      await this.#install(surroundings);
    } catch (error) {
      this.#stop.signal.throwIfAborted();
      if (this.#leaving.signal.aborted) return undefined;
      throw error;
    }
    const directory = await makeDirectory(this.#terminal, 'talk');
    const log = createLog(join(directory, 'bot.log'));
    this.#place = () => (bot ? `The bot's log: ${bot.log}` : log.place);
    let unwatch: (() => Promise<void>) | undefined;
    let isKept = true;
    const { path, code, env } = setupFile('settling', directory, valueFor('PIPECAT_SETUP_FILES', facts.env));
    try {
      await writeFile(path, code);
      unwatch = this.#talk.restarts ? await this.#watch(surroundings) : undefined;
      while (!(await this.#runBot({ log, env: { ...env, [STARTED_BY]: 'talk' } }, stop)));
      this.#stop.signal.throwIfAborted();
      const notKept = keeps !== undefined && !isTyped ? this.#fault : undefined;
      const passes = keeps === undefined || notKept !== undefined || (await this.#keep(keeps, this.#stop.signal));
      isKept = this.#fault !== undefined;
      const ok = passes && !isKept;
      show.end({ ok, notKept });
      return this.#isBroken || (!ok && !isTyped) ? 1 : undefined;
    } catch (error) {
      if (!(error instanceof UserError) || error.reason === 'interrupted') isKept = false;
      if (!(error instanceof UserError) || !isKept) throw error;
      const last = keeps === undefined ? '' : "The conversation isn't kept.";
      throw error.withMessage(error.message, { hint: [error.hint, this.#place(), last].filter(Boolean).join('\n') });
    } finally {
      await unwatch?.();
      await rm(isKept && !bot ? path : directory, { recursive: true, force: true });
    }
  }

  /** Installs what is missing, and says so if that takes long. */
  async #install(surroundings: Parameters<typeof installAll>[2]): Promise<void> {
    const { facts, show } = this.#talk;
    let late: NodeJS.Timeout | undefined;
    const say = (text: string) => {
      late = setTimeout(() => show.note(text), INSTALL_MS);
    };
    try {
      await installAll(facts, ['server'], { ...surroundings, report: { ...surroundings.report, say } });
    } finally {
      clearTimeout(late);
    }
  }

  /** Restarts the bot when a file is saved that can work. */
  #watch(surroundings: Parameters<typeof createEditCheck>[1]): Promise<() => Promise<void>> {
    const { facts, show } = this.#talk;
    const canStart = createEditCheck({ facts, isWatched: true }, surroundings, () => {});
    let work = Promise.resolve();
    const onChange = (paths: readonly string[]) => {
      work = work.then(async () => {
        if (!(await canStart(paths)) || this.#leaving.signal.aborted) return;
        const count = this.#turns.length + this.#script.slice(this.#turns.length).length;
        show.note(`${paths.join(', ')} changed: ${count > 0 ? 'saying it all again to' : 'starting'} a fresh bot.`);
        this.#renew();
      });
    };
    return watchProject(facts.project.root, onChange, show.note);
  }

  /** Wants a fresh bot, to which all is said again that was said, except the last `fewer` messages. */
  #renew(fewer = 0): void {
    const said = [...this.#turns, ...this.#script.slice(this.#turns.length)];
    // What wasn't answered yet may have been answered before.
    const known = said.map((turn, at) => (isComplete(turn) ? turn : (this.#script[at] ?? turn)));
    this.#script = known.slice(0, known.length - fewer);
    this.#turns = [];
    this.#renewing.abort(new Error('A fresh bot is wanted'));
  }

  /** Talks with one bot. Returns whether it's over. */
  async #runBot({ log, env }: { log: ReturnType<typeof createLog>; env: Record<string, string> }, stop: Stop) {
    const { facts, bot: deployed, isTyped, show } = this.#talk;
    this.#renewing = new AbortController();
    this.#hasLeft = false;
    const within = { ...stop, signal: AbortSignal.any([stop.signal, this.#renewing.signal]) };
    const onLines = (lines: readonly string[], _: unknown, gone: (error: UserError) => void) => {
      for (const line of lines) {
        const error = errorIn(line, facts);
        if (error && !this.#matters(error.kind)) this.#asides.add(error.said);
        else if (error?.cause) this.#onCause(error.cause, gone);
      }
    };
    const bot = { facts, log, during: 'the conversation', env, onLines };
    const doing = deployed ? 'Connecting to the bot' : 'Starting the bot';
    if (isTyped && this.#terminal.env.TERM === 'dumb') show.note(`${doing}.`);
    else this.#terminal.progress.show(doing);
    try {
      const conversing = deployed
        ? deployed.hold(within, (url, { signal }) => this.#converse(url, signal))
        : withFreshBot(bot, within, this.#terminal, (url, { signal }, port) => {
            this.#port = port;
            return this.#converse(url, signal);
          });
      return await conversing.catch(error => this.#goOnWithout(error, within.signal));
    } catch (error) {
      if (this.#stop.signal.aborted) throw this.#stop.signal.reason;
      if (this.#leaving.signal.aborted) return true;
      if (this.#renewing.signal.aborted) return false;
      throw error;
    } finally {
      this.#conversation = undefined;
    }
  }

  /** Says why the bot is gone, and listens to a person who can repair it. Returns whether it's over. */
  async #goOnWithout(error: unknown, signal: AbortSignal): Promise<boolean> {
    const { isTyped, show } = this.#talk;
    this.#terminal.progress.clear();
    if (signal.aborted || !isTyped || !(error instanceof UserError)) throw error;
    this.#fault ??= error.message;
    this.#isBroken = true;
    show.problem(error.message, [...error.problems.slice(-5), error.hint, this.#place()].filter(Boolean).join('\n'));
    const again = this.#talk.bot
      ? 'Type /again to try once more.'
      : 'Save a file in server/ to start the bot again, or type /again.';
    show.note(again);
    this.#hasLeft = true;
    return await this.#listen(signal);
  }

  async #converse(url: string, signal: AbortSignal): Promise<boolean> {
    const { facts, bot, show, isTyped, isVoiced, patience } = this.#talk;
    this.#terminal.progress.clear();
    this.#conversation = await beginConversation(
      {
        ...{ url, settles: !bot, isVoiced, patience },
        onHappening: happening => this.#onHappening(happening),
        onProgress: doing => this.#terminal.progress.show(`bot  ${doing}`),
      },
      signal,
      this.#terminal,
    );
    this.#isBroken = false;
    this.#isReplaying = this.#script.length > 0;
    this.#interrupts = 0;
    try {
      const name = readableName(facts.project.config.project_name);
      if (!this.#wasReady)
        show.ready({ name, ms: Date.now() - this.#talk.since, isTyped, isVoiced, deployed: bot?.facts });
      this.#wasReady = true;
      this.#greeting = (await this.#say(undefined, signal)).written;
      for (const before of this.#script) {
        if (this.#hasLeft || this.#interrupts > 1) break;
        show.you(before.said);
        const turn = await this.#sayTurn(before.said, signal);
        if (isComplete(before) && turn.flaw !== 'interrupted' && !isSame(turn, before)) show.differs(before);
      }
      this.#script = [];
      this.#isReplaying = false;
      return await this.#listen(signal);
    } finally {
      this.#isReplaying = false;
      this.#conversation.close();
    }
  }

  /** Takes messages until there are no more. Returns whether it's over. */
  async #listen(signal: AbortSignal): Promise<boolean> {
    const { input, isTyped, show } = this.#talk;
    for (;;) {
      const typed = await input.next(signal);
      if (typed === undefined) return true;
      const line = isTyped ? readLine(typed) : { say: typed };
      if ('command' in line) {
        if (line.command === 'quit') return true;
        if (line.command === 'help' || line.command === 'unknown') show.note(line.help);
        else if (line.command === 'keep') await this.#keepAsTyped(line.word, signal);
        else if (this.#turns.length === 0 && line.command === 'back') show.note("You haven't said anything yet.");
        else this.#renew(line.command === 'back' ? 1 : 0);
        signal.throwIfAborted();
      } else if (line.say.trim() !== '') {
        if (this.#hasLeft && !isTyped) throw new UserError('The bot ended the conversation', { reason: 'part-ended' });
        if (this.#hasLeft)
          show.note('The bot is gone. /again starts a fresh one, /back also forgets what you said last.');
        else {
          if (!isTyped) show.you(line.say);
          await this.#sayTurn(line.say, signal);
        }
      }
    }
  }

  /** Keeps the conversation, unless the name can't be one. */
  async #keepAsTyped(name: string, signal: AbortSignal): Promise<void> {
    const { show } = this.#talk;
    const stopped = new AbortController();
    this.#interruptKeeping = () => stopped.abort(new Error('Interrupted'));
    try {
      await this.#keep(name, AbortSignal.any([signal, stopped.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (stopped.signal.aborted) show.note('Interrupted. Nothing was kept.');
      else if (error instanceof UserError) show.problem(error.message, error.hint);
      else throw error;
    } finally {
      this.#interruptKeeping = undefined;
      this.#terminal.progress.clear();
    }
  }

  /** Keeps the conversation as a scenario. Returns whether that passes. */
  async #keep(name: string, signal: AbortSignal): Promise<boolean> {
    const { facts, bot, isPlain, show } = this.#talk;
    const { keepConversation } = await import('./keep.ts');
    this.#terminal.progress.show('Keeping the conversation, and trying it once');
    const turns = [...this.#turns];
    const kept = { facts, bot, name, greeting: this.#greeting, turns, plain: isPlain };
    const result = await keepConversation(kept, { ...this.#stop, signal }, this.#terminal);
    this.#terminal.progress.clear();
    show.kept(result);
    this.#stop.signal.throwIfAborted();
    return result.passed;
  }

  async #sayTurn(said: string, signal: AbortSignal): Promise<Turn> {
    const at = this.#turns.push({ said, calls: [], answer: '', written: '', last: '' }) - 1;
    const turn = { said, ...(await this.#say(said, signal)) };
    this.#turns[at] = turn;
    return turn;
  }

  /** Says something, and reports what goes wrong. */
  async #say(said: string | undefined, signal: AbortSignal): Promise<Omit<Turn, 'said'>> {
    const { show, patience, isTyped } = this.#talk;
    if (!this.#conversation) throw new Error('no conversation');
    this.#errors = [];
    this.#causes = [];
    this.#isAnswering = true;
    try {
      const { end, ...answered } = await this.#conversation.say(said);
      let flaw: Turn['flaw'] = end === 'interrupted' ? end : 'failed';
      const isUnanswered = end === 'left' && said !== undefined && !isAnswered(answered);
      if (await this.#hasFailed(signal)) this.#explainErrors();
      else if (end === 'silent') this.#fail(`The bot didn't answer within ${patience / 1000} seconds`);
      else if (end === 'complete' && said !== undefined && !isAnswered(answered))
        this.#fail('The bot answered without words');
      else if (end !== 'interrupted' && !isUnanswered) flaw = undefined;
      const again = this.#isReplaying && this.#interrupts === 1 ? ' Ctrl-C again ends saying everything again.' : '';
      if (end === 'interrupted') show.note(`Interrupted.${again}`);
      if (end === 'left') await this.#untilKnown(signal);
      if (isUnanswered && this.#errors.length === 0) this.#fail('The bot ended the conversation without an answer');
      this.#hasLeft = end === 'left';
      if (this.#hasLeft && isTyped) show.note('The bot has ended the conversation. /again starts it over.');
      return { ...answered, ...(flaw && { flaw }) };
    } finally {
      this.#isAnswering = false;
      this.#terminal.progress.clear();
    }
  }

  /** Waits until it's known whether a bot that has ended the conversation has crashed. Then the signal is aborted. */
  async #untilKnown(signal: AbortSignal): Promise<void> {
    // A deployed bot's session is all that is known of it.
    if (this.#talk.bot) return;
    const isOver = () => signal.aborted;
    const sleep = (ms: number) => this.#terminal.sleep(ms);
    await untilReady({ port: this.#port, isOver, sleep });
    signal.throwIfAborted();
  }

  #fail(message: string): void {
    this.#fault ??= message;
    this.#talk.show.problem(message, this.#place());
  }

  /** Whether errors have come with an answer, except those that the log puts down to a service that doesn't matter. */
  async #hasFailed(signal: AbortSignal): Promise<boolean> {
    const own = () => this.#errors.filter(error => ![...this.#asides].some(said => said.includes(error)));
    for (let look = 0; look < LOOKS && this.#causes.length === 0 && own().length > 0; look++)
      await this.#terminal.sleep(LOOK_MS, signal);
    this.#errors = own();
    return this.#errors.length > 0;
  }

  /** Reports the errors that have come with an answer, unless the log says why, which is shown at once. */
  #explainErrors(): void {
    if (this.#causes.length === 0)
      this.#fail(`The bot reports an error: ${firstLineOf(this.#terminal.hidden.inError(this.#errors[0] ?? ''))}`);
  }

  #onHappening(happening: Happening): void {
    this.#terminal.progress.clear();
    if (happening.kind === 'error') this.#errors.push(happening.message);
    else if (happening.kind !== 'details' || this.#talk.hasDetails) this.#talk.show.happening(happening);
  }

  /** Whether a kind of service matters. Speech is no part of a conversation in text. */
  #matters(kind: Cause['kind']): boolean {
    return kind === 'llm' || kind === 'realtime' || (this.#talk.isVoiced && kind === 'tts');
  }

  /** Takes what the log says about a service that fails. */
  #onCause(cause: Cause, gone: (error: UserError) => void): void {
    const { isTyped, show } = this.#talk;
    const { message, hint } = cause;
    if (this.#causes.some(one => one.message === message)) return;
    this.#causes.push(cause);
    this.#fault ??= message;
    if (isTyped) show.problem(message, [hint, this.#place()].join('\n'));
    else if (cause.isPassing) show.problem(message, hint);
    else gone(new UserError(message, { reason: 'service-failed', hint }));
  }
}

const isAnswered = ({ answer, calls }: Pick<Turn, 'answer' | 'calls'>): boolean => answer !== '' || calls.length > 0;

/** Whether another answer can be compared with it. */
const isComplete = (turn: Turn): boolean => isAnswered(turn) && !turn.flaw;

const MOST_LETTERS = 500;

/** The first line of an error, to the end of a word. */
function firstLineOf(error: string): string {
  const [line = ''] = error.trim().split('\n');
  const whole = line.length > MOST_LETTERS ? `${line.slice(0, MOST_LETTERS).replace(/\s+\S*$/, '')} …` : line;
  return onOneLine(whole.trim());
}
