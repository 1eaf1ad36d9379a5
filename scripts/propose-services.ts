/**
 * `npm run propose -- RELEASE`: prints the services of a pipecat-ai release that the catalog lacks, as rows to paste, and
 * the rows that no longer match the release. RELEASE is a version; `--wheel PATH` reads a wheel, or a directory with an
 * unpacked one. It needs Python 3.11 or newer, and PyPI access for a version.
 */
import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { extrasOf, moduleOf, SERVICE_KINDS, services } from '../src/catalog/index.ts';
import { PIPECAT_RELEASE } from '../src/project/release.ts';
import { type FoundService, findProblems, findUnknown, unpackRelease } from '../test/bots/release.ts';
import { WORKSHOP } from '../test/bots/workshop.ts';

const { values, positionals } = parseArgs({ options: { wheel: { type: 'string' } }, allowPositionals: true });
const release = values.wheel ?? positionals[0] ?? PIPECAT_RELEASE;
await mkdir(WORKSHOP, { recursive: true });
const directory = await unpackRelease(release);

const unknown = await findUnknown(
  directory,
  SERVICE_KINDS.flatMap(kind => services[kind]),
);
for (const kind of SERVICE_KINDS) {
  const proposed = unknown.filter(service => service.kind === kind);
  if (proposed.length > 0) console.log(`// new in ${kind}.ts\n${proposed.map(proposeRow).join('\n')}\n`);
  const problems = await findProblems(directory, kind, services[kind]);
  if (problems.length > 0) console.log(`// to correct in ${kind}.ts\n${problems.map(line => `// ${line}\n`).join('')}`);
}
console.log(`// pipecat-ai ${release}: ${unknown.length} services are neither offered nor excluded`);

/** A first draft. Anything that the sources don't show is marked TODO. */
function proposeRow({ kind, module, className, extras, parameters, hasVoice }: FoundService): string {
  const path = module.split('.').slice(2, -1);
  const prefix = (path[0] ?? '').toUpperCase();
  const id = [...path, kind].join('_');
  const own = module.replace('pipecat.services.', '');
  const usual = extrasOf({ id, module: own });
  const session = parameters.find(({ type }) => type.includes('ClientSession'));
  const args = parameters
    .filter(parameter => parameter !== session)
    .map(parameter => proposeArgument(prefix, parameter));
  const settings = [
    ...(kind === 'llm' || kind === 'realtime' ? [`takes('model', '${prefix}_MODEL')`] : []),
    ...(hasVoice ? [`takes('voice', '${prefix}_VOICE_ID')`] : []),
  ];
  const named = `'${id}', '${className}', '${className}'`;
  const start = kind === 'stt' || kind === 'tts' ? `row(${named}, lists.TODO` : `service(${named}`;
  return [
    // stt and tts list their languages, with which comes how to set one, such as `language`.
    `  ${start}, { // TODO: <provider>_<kind>, and the provider's own name for it`,
    ...(module === moduleOf({ id }) ? [] : [`    module: '${own}',`]),
    ...(kind === 'realtime' ? ['    languages: TODO, // and how to set it, such as `language`'] : []),
    ...(extras.join() === usual.join() ? [] : [`    extras: [${extras.map(extra => `'${extra}'`).join(', ')}],`]),
    ...(args.join() === `apiKey('${prefix}_API_KEY')` ? [] : [`    args: [${args.join(', ')}],`]),
    ...(settings.length > 0 ? [`    settings: [${settings.join(', ')}],`] : []),
    ...(session ? [`    session: '${session.name}',`] : []),
    '  }),',
  ].join('\n');
}

function proposeArgument(prefix: string, { name, type }: FoundService['parameters'][number]): string {
  if (name === 'api_key') return `apiKey('${prefix}_API_KEY')`;
  const needed = `needs('${name}', '${prefix}_${name.toUpperCase()}', 'TODO')`;
  if (type === 'str') return needed;
  return type === 'int' ? `{ ...${needed}, convert: 'int' }` : `code('${name}', 'TODO: ${type}')`;
}
