import type { Item } from '../../formats/python/expressions.ts';
import type { Scope } from '../../formats/python/scope.ts';

/** What a name means for the environment. */
export type Meaning =
  /** Something imported, by its full name. */
  | { is: 'import'; path: string }
  /** `os.environ`, or a mapping with the same variables and some of its own. */
  | { is: 'environ'; isCopy: boolean; own: readonly string[] }
  /** A reader such as `env("X")`, which has its own defaults. */
  | { is: 'reader'; defaults: readonly string[] }
  /** `os.getenv`; the class of a reader; what reads env files, or gets values from elsewhere. */
  | { is: 'getenv' | 'reader class' | 'load' | 'values' | 'source' | 'getitem' | 'getter class' }
  /** A function that takes these keys out of what it gets. */
  | { is: 'getter'; keys: readonly Key[] }
  | Settings
  /** A class whose fields are inside one of them. */
  | { is: 'model' }
  /** Texts, one or a list. They are complete unless something else is among them. */
  | { is: 'texts'; texts: string[]; isComplete: boolean }
  /** The value of variables, which is empty if they aren't set. */
  | { is: 'value'; key: Key }
  /** Those of these variables that aren't set. */
  | { is: 'missing'; keys: readonly Key[] }
  /** Each item of a parameter. */
  | { is: 'each'; parameter: Parameter }
  /** A function that reads the variable that a parameter names. */
  | { is: 'needs'; at: number; parameter: string; isAlways: boolean };

/** A class whose fields are variables. In the first release of its library, fields may be absent. */
export interface Settings {
  is: 'settings';
  isFirst: boolean;
  base?: Settings;
  /** What the class says, once it was read. */
  says?: SettingsClass;
}

/** What a class of settings says, with what it inherits. */
interface SettingsClass {
  /** What its variables begin with; undefined if that can't be followed. */
  prefix: string | undefined;
  /** Whether their case counts. */
  isExact: boolean;
  fields: readonly SettingsField[];
}

interface SettingsField {
  name: string;
  /** The variables that it may be from, instead of the one of its name. */
  aliases: readonly string[] | undefined;
  hasDefault: boolean;
  isNested: boolean;
}

interface Parameter {
  name: string;
  of: Scope;
}

/** What names a variable: texts, or a parameter. Nothing if it can't be followed. */
export type Key = readonly string[] | Parameter | undefined;

/** Finds what a name of another module of the project means, such as `.config.need`. */
export type LookUp = (path: string) => Meaning | undefined;

/** What the names of a module mean where they are used. */
export interface KnownNames {
  of(name: string, scope: Scope): Meaning | undefined;
  /** What `a.b.c` means, and where it ends. */
  at(items: readonly Item[], at: number, scope: Scope): { meaning: Meaning | undefined; end: number };
}

/** What libraries provide, by full name. */
export const LIBRARIES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['os.environ', { is: 'environ', isCopy: false, own: [] }],
  ['os.getenv', { is: 'getenv' }],
  ['operator.getitem', { is: 'getitem' }],
  ['operator.itemgetter', { is: 'getter class' }],
  ['decouple.config', { is: 'reader', defaults: [] }],
  ['decouple.Config', { is: 'reader class' }],
  ['decouple.AutoConfig', { is: 'reader class' }],
  ['decouple.RepositoryEnv', { is: 'values' }],
  ['decouple.RepositoryIni', { is: 'source' }],
  ['decouple.RepositorySecret', { is: 'source' }],
  ['environs.env', { is: 'reader', defaults: [] }],
  ['environs.Env', { is: 'reader class' }],
  ['environ.Env', { is: 'reader class' }],
  ['starlette.config.Config', { is: 'reader class' }],
  ['dotenv.load_dotenv', { is: 'load' }],
  ['dotenv.dotenv_values', { is: 'values' }],
  ['pydantic_settings.BaseSettings', { is: 'settings', isFirst: false }],
  ['pydantic.BaseSettings', { is: 'settings', isFirst: true }],
  ['pydantic.v1.BaseSettings', { is: 'settings', isFirst: true }],
  ['pydantic.BaseModel', { is: 'model' }],
]);

/** Names that are known even if nothing imports them: the code may be part of a text. */
export const UNIMPORTED: ReadonlyMap<string, string> = new Map([
  ['os', 'os'],
  ['load_dotenv', 'dotenv.load_dotenv'],
  ['dotenv_values', 'dotenv.dotenv_values'],
]);

/** The texts of a key; none if it can't be followed. */
export const namesIn = (key: Key): readonly string[] => (key === undefined || 'of' in key ? [] : key);
