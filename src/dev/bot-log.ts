import { createTurnLines } from '../calls/explain.ts';
import {
  isSecret,
  NO_CREDIT,
  REFUSED,
  SERVICE_KINDS,
  type ServiceKind,
  type ServiceRow,
  services,
  UNREACHABLE,
  variablesOf,
} from '../catalog/index.ts';
import { keyTrials } from '../catalog/key-trials.ts';
import { type Facts, valueFor } from '../check/checks/facts.ts';
import { sourceOf } from '../check/checks/keys.ts';
import { chosenServices } from '../project/variables.ts';
import { alternatives } from '../text.ts';

/** A line of the framework's log: its level, the module that wrote it, and what it says. */
const RECORD = /^\d{4}-\d\d-\d\d [\d:.]+ \| (\w+) +\| ([\w.]*):[^ ]* - (.*)$/;

/** What the framework puts before an error. Its line numbers look like codes of HTTP. */
const ORIGIN = /^(.*?) exception \(.*?:\d+\): /;

/** The levels that say how things go, rather than what goes wrong. */
const QUIET = /^(?:TRACE|DEBUG|INFO|SUCCESS)$/;

/** What the framework prints when it starts, and what its web server does. `dev` says where to talk. */
const CHATTER = /^(?:\s*$|🚀 Bot ready!| {3}→ |[╭│╰]|Looking for dist directory at: |INFO: {2,})/;

interface Cause {
  kind: ServiceKind;
  message: string;
  hint: string;
  /** Whether it may work again by itself. Otherwise, it keeps failing. */
  isPassing?: boolean;
}

type Known = Pick<Facts, 'project' | 'env' | 'place'>;

/** The service that reports an error in a line, what it says, and the cause, which quotes nothing that may be a key. */
export function errorIn(
  line: string,
  known: Known,
): { kind: ServiceKind; said: string; cause: Cause | undefined } | undefined {
  const [, level = '', , text = ''] = RECORD.exec(line) ?? [];
  if (level !== 'ERROR' && level !== 'CRITICAL') return undefined;
  const [, named] = /^(\w+)#\d+\b/.exec(text) ?? [];
  const found = [...chosenServices(known.project.config), ...ALL].find(({ row }) => row.className === named);
  if (!found) return undefined;
  const { kind, row } = found;
  const said = text.replace(ORIGIN, '');
  const [, explain] = REASONS.find(([pattern]) => pattern.test(said)) ?? [];
  return { kind, said, cause: explain && { kind, ...explain(row, said, known) } };
}

/** Every service, with its kind: people put in others than those chosen. */
const ALL = SERVICE_KINDS.flatMap(kind => services[kind].map(row => ({ kind, row })));

/** What systems say about a name that isn't in DNS. */
const UNRESOLVED =
  'name or service not known|getaddrinfo|nodename nor servname|name resolution|no address associated|name_not_resolved';

const orKeys = ({ keys }: ServiceRow): string => (keys ? `: ${keys}` : '.');

const tooMany: Explain = (service, _, { env }) => ({
  message: `${serverOf(service, env)} says that there are too many requests, or no quota is left (HTTP 429)`,
  hint: `Wait a minute, or check the limits of your plan${orKeys(service)}`,
  isPassing: true,
});

type Explain = (service: ServiceRow, said: string, known: Known) => Omit<Cause, 'kind'>;

/** What an error may mean, in the order in which it is looked for, and how to say it. */
const REASONS: readonly [pattern: RegExp, explain: Explain][] = [
  [/rate.?limit.?(?:reached|exceeded)|rate.?limited|too many requests/i, tooMany],
  [
    new RegExp(`${NO_CREDIT}|\\b402\\b`, 'i'),
    service => ({
      message: `${service.label} says that your account has no credit or quota left`,
      hint: `Check its plan and its billing${orKeys(service)}`,
    }),
  ],
  [/\b429\b/, tooMany],
  [
    /model_not_found|\b404\b.*\bmodels?\b|\bmodel\b.*(?:does not exist|not found)/i,
    (service, _, { env, place }) => {
      const name = variablesOf(service).find(one => one.env.endsWith('_MODEL'))?.env;
      const isSet = name !== undefined && valueFor(name, env) !== undefined;
      const change = name ? `Set ${name} in ${place(env.path)} to` : 'Set `model` in server/bot.py to';
      return {
        message: `${serverOf(service, env)} doesn't have the model${isSet ? ` in ${name}` : ' of the bot'}, or not for your account`,
        hint: isSet ? `Change ${name} in ${whereIs(name, env, place)}.` : `${change} one that it has.`,
      };
    },
  ],
  [
    new RegExp(REFUSED, 'i'),
    (service, said, { env, place, project: { config } }) => {
      const keys = variablesOf(service).flatMap(one => (one.required && isSecret(one.env) ? one.env : []));
      const [key = ''] = keys;
      const [, status] = /\b(40[13])\b/.exec(said) ?? [];
      const source = sourceOf(key, config);
      const replace = `Replace it in ${whereIs(key, env, place)}. ${source.fix ? source.hint : ''}`.trim();
      return {
        message: `${serverOf(service, env)} refuses ${alternatives(keys) || 'your credentials'}${status ? ` (HTTP ${status})` : ''}`,
        hint: key ? replace : `Check the account of ${service.label}.`,
      };
    },
  ],
  [
    new RegExp(`${UNREACHABLE}|${UNRESOLVED}`, 'i'),
    (service, _, { env }) => ({
      message: `The bot can't reach ${serverOf(service, env)}`.replace('The server', 'the server'),
      hint: 'Check your network, and the address if you have set one.',
    }),
  ],
  [
    /(?:code|status|http)\W{0,3}5\d\d\b|internal server error|service unavailable|bad gateway|overloaded/i,
    (service, said, { env }) => {
      const [, status] = /\b(5\d\d)\b/.exec(said) ?? [];
      const message = `${serverOf(service, env)} fails${status ? ` (HTTP ${status})` : ''}`;
      return { message, hint: 'The error is on its side. Try again later.', isPassing: true };
    },
  ],
];

/** Where a variable has its value, for people. */
const whereIs = (name: string, { file, path }: Known['env'], place: Known['place']): string =>
  file.entries.get(name)?.value ? place(path) : 'your shell';

/** Lines of a log without those that say how the framework is doing; all, if there are no others. */
export function withoutChatter(lines: readonly string[]): readonly string[] {
  const others = lines.filter(line => !(QUIET.test(RECORD.exec(line)?.[1] ?? '') || CHATTER.test(line)));
  return others.length > 0 ? others : lines;
}

/** Who answers a service's requests: its provider, or a server of the user's. */
function serverOf(service: ServiceRow, env: Known['env']): string {
  const keys = variablesOf(service).map(one => one.env);
  const address = keyTrials.find(one => keys.includes(one.env))?.address;
  return address && valueFor(address, env) ? `The server at ${address}` : service.label;
}

/** How many hidden lines to keep for a crash. */
const LAST_HIDDEN = 20;

/** Reads a bot's output. People see what goes wrong, what the project's own code prints, and each known cause once. */
export function createBotLog(known: Known, isQuiet: boolean) {
  const hidden: string[] = [];
  const causes = new Set<string>();
  const turnsIn = createTurnLines();
  /** Whether the last record of the log was hidden: the rest of it is indented, or the traceback of a known cause. */
  let rest: RegExp | undefined;
  const hides = (line: string, cause: Cause | undefined, isLog: boolean): boolean => {
    const [, level = '', module = ''] = RECORD.exec(line) ?? [];
    if (level === '') return CHATTER.test(line) || (isLog && rest?.test(line) === true);
    const isFollowUp = causes.size > 0 && FOLLOW_UP.test(line);
    const isHidden = cause !== undefined || isFollowUp || (QUIET.test(level) && /^pipecat/.test(module));
    rest = cause ? /^/ : isHidden ? /^\s/ : undefined;
    return isHidden;
  };
  return {
    hidden: hidden as readonly string[],
    /** Takes lines of one stream: of the log in stderr, or of stdout. Returns those to show, and what was found out. */
    read(lines: readonly string[], isLog: boolean) {
      const found: Cause[] = [];
      const shown = lines.flatMap((line): readonly string[] => {
        const turns = isQuiet ? turnsIn(line) : undefined;
        if (turns) return turns;
        const cause = errorIn(line, known)?.cause;
        if (cause && !causes.has(cause.message)) {
          causes.add(cause.message);
          found.push(cause);
        }
        if (!isQuiet || !hides(line, cause, isLog)) return [line];
        hidden.push(line);
        return [];
      });
      hidden.splice(0, hidden.length - LAST_HIDDEN);
      return { shown, found };
    },
  };
}

/** What the framework says once a service has failed for good. */
const FOLLOW_UP = / - \w+#\d+: \w+#\d+ can no longer do its job$/;
