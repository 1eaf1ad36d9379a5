import { moduleOf, type PythonImport } from '../../catalog/index.ts';
import { renderCall } from '../../formats/python/render.ts';
import { py } from '../quote.ts';
import type { BotService, ChosenService } from '../variables/environment.ts';

/** The indent of a function's body. */
const BODY = 4;
const STEP = 4;

/**
 * The statement that constructs a service, at the indent of a function's body. With a phone on the line, the pipeline has
 * a phone's rate, so a voice with its own rate gets an argument.
 */
export function renderService({ kind, row }: ChosenService, hasPhone: boolean): string {
  const takesInstruction = (kind === 'llm' || kind === 'realtime') && !row.ownInstruction;
  // A speech-to-speech service is also the language model.
  const variable = kind === 'realtime' ? 'llm' : kind;
  const first = takesInstruction ? ['system_instruction=SYSTEM_INSTRUCTION'] : [];
  const rate = hasPhone && kind === 'tts' && row.onlyRate;
  const args = rate ? [...row.args, { name: 'sample_rate', code: `${rate / 1000}_000` }] : row.args;
  return renderConstruction(`${variable} = `, { ...row, args }, first);
}

/** The statement that returns a language model without the bot's instruction. */
export const renderModel = (row: BotService): string => renderConstruction('return ', row, []);

function renderConstruction(start: string, row: BotService, first: readonly string[]): string {
  const inner = BODY + STEP;
  const args = renderArguments(row.args, inner);
  if (row.session) args.push(`${row.session}=session`);
  const settings = [...first, ...renderArguments(row.settings, inner + STEP)];
  if (settings.length > 0) {
    args.push(`settings=${renderCall(`${row.className}.Settings`, settings, inner, 'settings=,'.length)}`);
  }
  return `${start}${renderCall(row.className, args, BODY, start.length)}`;
}

/** Arguments as Python, for a call whose arguments have this indent. Those that may be omitted are together. */
function renderArguments(args: BotService['args'], indent: number): string[] {
  const omitted = args.flatMap(argument => ('env' in argument && isOmitted(argument) ? [argument] : []));
  return args.flatMap(argument => {
    if ('code' in argument) return [`${argument.name}=${argument.code}`];
    if ('args' in argument) return [`${argument.name}=${renderObject(argument, indent)}`];
    if (!isOmitted(argument)) return [renderVariable(argument)];
    const alike = omitted.filter(({ convert }) => convert === argument.convert);
    return argument === alike[0] ? [renderOmitted(alike, indent)] : [];
  });
}

type Kind<Key extends string> = Extract<BotService['args'][number], Record<Key, unknown>>;

/** Whether an argument is omitted if its variable isn't set, so that the library's default applies. */
const isOmitted = ({ required, fallback }: Kind<'env'>): boolean => !required && fallback === undefined;

function renderOmitted(args: readonly Kind<'env'>[], indent: number): string {
  const convert = args[0]?.convert;
  const names = args.map(({ name, env }) => `${name}=${py(env)}`);
  const call = renderCall('**optional_env', [...(convert ? [convert] : []), ...names], indent, ','.length);
  const usual = args.flatMap(one => (one.usual === undefined ? [] : `${one.name}=${py(one.usual)}`)).join(', ');
  return usual ? `# Default: ${usual}\n${' '.repeat(indent)}${call}` : call;
}

const renderObject = ({ name, className, args }: Kind<'className'>, indent: number): string =>
  renderCall(className, renderArguments(args, indent + STEP), indent, `${name}=,`.length);

/** A required variable, or one with a default. */
function renderVariable({ name, env, convert, fallback }: Kind<'env'>): string {
  if (fallback !== undefined) return `${name}=os.getenv(${py(env)}) or ${py(fallback)}`;
  const read = `os.environ[${py(env)}]`;
  return `${name}=${convert ? `${convert}(${read})` : read}`;
}

/** The imports that the statements of services need. */
export const serviceImports = (services: readonly ChosenService[]): PythonImport[] =>
  services.flatMap(({ row }) => [{ module: moduleOf(row), names: [row.className] }, ...row.imports]);

const omitsAny = (args: BotService['args']): boolean =>
  args.some(argument => {
    if ('args' in argument) return omitsAny(argument.args);
    return 'env' in argument && isOmitted(argument);
  });

/** What the services of a bot need from its own code. */
export const serviceNeeds = (services: readonly ChosenService[]) => ({
  /** A service takes a variable that isn't required. */
  hasOptionalEnv: services.some(({ row }) => omitsAny([...row.args, ...row.settings])),
  /** A service takes a variable in another way. */
  readsEnv: services.some(service => renderService(service, false).includes('os.')),
  /** A service takes the bot's HTTP session. */
  usesSession: services.some(({ row }) => row.session !== undefined),
});
