import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  extrasOf,
  isEnglish,
  LANGUAGES,
  moduleOf,
  type ServiceKind,
  type ServiceRow,
} from '../../src/catalog/index.ts';
import { inLanguage } from '../../src/project/variables.ts';
import { unique } from '../../src/std.ts';
import { leftOut } from './left-out.ts';
import { runWell } from './processes.ts';
import { runUv, WORKSHOP } from './workshop.ts';

/** A service that a release of the framework has, as `list_services.py` finds it. */
export interface FoundService {
  kind: ServiceKind;
  module: string;
  className: string;
  extras: string[];
  parameters: { name: string; type: string }[];
  hasVoice: boolean;
}

/** The directory of an unpacked release, from a version, a wheel's path, or an unpacked directory. */
export async function unpackRelease(release: string): Promise<string> {
  if (existsSync(release) && statSync(release).isDirectory()) return release;
  const directory = join(WORKSHOP, 'wheel', release.replace(/^.*[\\/]/, ''));
  if (!existsSync(directory)) {
    const requirement = existsSync(release) ? release : `pipecat-ai==${release}`;
    await runUv(['pip', 'install', '--quiet', '--no-deps', '--target', directory, requirement], process.cwd());
  }
  return directory;
}

/** The services of an unpacked release that the catalog neither offers nor excludes. */
export async function findUnknown(directory: string, rows: readonly ServiceRow[]): Promise<FoundService[]> {
  const { stdout } = await runWell(['python3', scriptPath('list_services.py'), directory], {
    cwd: import.meta.dirname,
  });
  const known = new Set([...rows.map(({ className }) => className), ...Object.values(leftOut).flat()]);
  return (JSON.parse(stdout) as FoundService[]).filter(({ className }) => !known.has(className));
}

/** The differences between rows, with the languages that people can choose, and an unpacked release, one line each. */
export async function findProblems(directory: string, kind: ServiceKind, rows: readonly ServiceRow[]) {
  const codes = (row: ServiceRow) => [null, 'en', otherLanguage(row)];
  const used = rows.flatMap(row => codes(row).map(code => JSON.stringify(usedBy(kind, row, code))));
  const input = `{"rows":[${unique(used).join()}],"languages":${JSON.stringify(LANGUAGES)}}`;
  const { stdout } = await runWell(['python3', scriptPath('check_catalog.py'), directory], { cwd: WORKSHOP, input });
  const problems: Record<string, string[]> = JSON.parse(stdout);
  return Object.entries(problems).flatMap(([id, list]) => list.map(problem => `${id}: ${problem}`));
}

const scriptPath = (name: string) => join(import.meta.dirname, name);

/** A language other than English that a service knows, if it knows one. */
const otherLanguage = ({ languages = ['de'] }: ServiceRow): string => languages.find(code => !isEnglish(code)) ?? 'en';

/** The parts of a service that a bot with this language uses. For a language model, that includes its system instruction. */
function usedBy(kind: ServiceKind, row: ServiceRow, language: string | null) {
  const { id, className, languages = null, session } = row;
  const { args, settings } = inLanguage(row, language);
  const {
    ownTurns = false,
    ignoresContext = false,
    sees = false,
    typed = null,
    answersEach = false,
    socket = null,
  } = row;
  const takesInstruction = (kind === 'llm' || kind === 'realtime') && !row.ownInstruction;
  const given = (name: string) => ({ name, code: 'None' });
  const hasOwnRate = kind === 'tts' && row.onlyRate !== undefined;
  return {
    id,
    module: moduleOf(row),
    className,
    extras: extrasOf(row),
    languages,
    ...(kind === 'realtime' ? { ownTurns, ignoresContext, sees, typed, socket } : {}),
    ...(kind === 'stt' ? { answersEach, socket } : {}),
    args: [...args, ...(session ? [given(session)] : []), ...(hasOwnRate ? [given('sample_rate')] : [])],
    settings: [...settings, ...(takesInstruction ? [given('system_instruction')] : [])],
  };
}
