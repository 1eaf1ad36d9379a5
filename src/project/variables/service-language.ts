import {
  type Argument,
  baseOf,
  isEnglish,
  knownAs,
  languageName,
  type PythonImport,
  regionalOf,
  type ServiceRow,
  type VariableArgument,
} from '../../catalog/index.ts';

/** A variable, and its value for the bot's language if it isn't set. */
interface BotVariable extends VariableArgument {
  fallback?: string;
}

interface BotObject extends Extract<Argument, { className: string }> {
  args: readonly BotArgument[];
}

/** An argument of a service in one bot: it no longer depends on the language. */
type BotArgument = BotVariable | Extract<Argument, { code: string }> | BotObject;

/** A service in one bot. */
export interface BotService extends ServiceRow {
  args: readonly BotArgument[];
  settings: readonly BotArgument[];
  imports: readonly Required<PythonImport>[];
}

const LANGUAGE_IMPORT = { module: 'pipecat.transcriptions.language', names: ['Language'] };

/** A service in a bot that speaks a language. Without a language, the library's defaults apply. */
export function inLanguage(row: ServiceRow, language: string | null): BotService {
  const { preload, imports = [], ...rest } = row;
  const argumentsOf = (args: readonly Argument[] = []) => args.flatMap(argument => resolve(argument, row, language));
  const settings = argumentsOf(row.settings);
  const loads = preload && language !== null && !isEnglish(language) ? preloadOf(row, settings) : preload;
  return {
    ...rest,
    args: argumentsOf(row.args),
    settings,
    imports: [...imports, ...importsFor([...(row.args ?? []), ...(row.settings ?? [])], language)],
    ...(loads && { preload: loads }),
  };
}

/** An argument for a language, or none. */
function resolve(argument: Argument, row: ServiceRow, language: string | null): BotArgument[] {
  if ('env' in argument) return [resolveVariable(argument, row, language)];
  if ('className' in argument) {
    const { args, ...object } = argument;
    if (argument.inLanguage && language === null) return [];
    return [{ ...object, args: args.flatMap(inner => resolve(inner, row, language)) }];
  }
  if (!('inLanguage' in argument)) return [argument];
  const { name, code, inLanguage: template } = argument;
  if (language !== null && appliesTo(argument, language)) return [{ name, code: fill(template, row, language) }];
  return code === undefined ? [] : [{ name, code }];
}

const appliesTo = ({ notInEnglish }: Extract<Argument, { inLanguage: string }>, language: string): boolean =>
  !(notInEnglish && isEnglish(language));

/** What the arguments for a language import. */
function importsFor(args: readonly Argument[], language: string | null): Required<PythonImport>[] {
  if (language === null) return [];
  return args.flatMap(argument => {
    if ('className' in argument) return [...(argument.inLanguage ?? []), ...importsFor(argument.args, language)];
    if (!('inLanguage' in argument) || !appliesTo(argument, language)) return [];
    return [...(argument.inLanguage.includes('<language>') ? [LANGUAGE_IMPORT] : []), ...(argument.imports ?? [])];
  });
}

/** A variable with its value for a language. Without a value, the owner has to set it. */
function resolveVariable(variable: VariableArgument, row: ServiceRow, language: string | null): BotVariable {
  const { inLanguages, description } = variable;
  if (!inLanguages || language === null) return documented(variable);
  const own = inLanguages[language] ?? inLanguages[baseOf(language)];
  if (own === undefined && isEnglish(language)) return documented(variable);
  const value = own ?? inLanguages['*'];
  if (value === undefined) {
    return { ...variable, required: true, description: `${description} (must support ${languageName(language)})` };
  }
  return optional(variable, fill(value, row, language));
}

/** A variable with the value that its provider documents for English, or a note of the library's, if the row has one. */
function documented(variable: VariableArgument): BotVariable {
  const { usual, description } = variable;
  if (variable.documented) return optional(variable, variable.documented.value);
  return usual === undefined ? variable : { ...variable, description: `${description} (default: ${usual})` };
}

const optional = (variable: VariableArgument, fallback: string): BotVariable => ({
  ...variable,
  required: false,
  description: `${variable.description} (default: ${fallback})`,
  fallback,
});

/** Fills in a language, by the code that the service knows. */
function fill(template: string, { languages }: ServiceRow, language: string): string {
  const code = (languages && knownAs(languages, language)) ?? language;
  const names: Readonly<Record<string, string>> = {
    language: `Language.${code.toUpperCase().replaceAll('-', '_')}`,
    code,
    base: baseOf(code),
    locale: (languages && regionalOf(languages, code)) ?? code,
    name: languageName(language),
  };
  return template.replace(/<(\w+)>/g, (whole, name: string) => names[name] ?? whole);
}

/** Python that creates a service with the model for its language; undefined if only the owner knows which one that is. */
function preloadOf({ className }: ServiceRow, settings: readonly BotArgument[]): string | undefined {
  if (settings.some(argument => 'env' in argument && argument.required)) return undefined;
  const known = settings.flatMap(argument => {
    if ('code' in argument) return [`${argument.name}=${argument.code}`];
    return 'fallback' in argument ? [`${argument.name}="${argument.fallback}"`] : [];
  });
  return `${className}(settings=${className}.Settings(${known.join(', ')}))`;
}
