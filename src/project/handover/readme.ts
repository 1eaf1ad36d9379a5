import { PROGRAM } from '../../about.ts';
import { callSetups, renderSteps } from '../../catalog/call-setup.ts';
import { findTransport, type TransportRow } from '../../catalog/index.ts';
import { commandOf } from '../../config/command.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { unique } from '../../std.ts';
import { clientUrlOf } from '../client.ts';
import { featuresOf } from '../features.ts';
import { projectTree, readmeFooter } from '../files/files.ts';
import { chosenServices, KIND_LABELS, neededForCalls, requiredVariables } from '../variables.ts';
import { localModelsOf, modelCommands } from './next-steps.ts';

/** What README.md and its parts read in addition to the features. */
export function readmeFactsOf(config: ScaffoldConfig, slug: string, version: string) {
  const features = featuresOf(config);
  const services = chosenServices(config);
  const rows = config.transports.map(findTransport);
  return {
    botKind: features.hasAvatar ? 'video' : 'voice',
    services: services.map(({ kind, row }) => ({ kind: KIND_LABELS[kind], label: row.label, id: row.id })),
    transports: rows.map(({ id, label }) => ({ id, label })),
    phones: rows.flatMap(row => phoneSection(row, slug, neededForCalls(config))),
    clientUrl: clientUrlOf(config),
    /** Browsers talk to the bot on the framework's own page, but could have a client. A phone bot has none. */
    hasFrameworkPageOnly: features.hasWeb && !features.hasClient && !features.isTelephony,
    tree: projectTree(features),
    ...modelFactsOf(config),
    cloudHints: unique(services.flatMap(({ row }) => row.inCloud ?? [])),
    command: commandOf(config),
    program: PROGRAM,
    readmeFooter: readmeFooter(version),
  };
}

/** A common speed, in Mbit/s. */
const DOWNLOAD_SPEED = 50;

/** What the README says about the models that run on this computer: GB, and minutes. */
function modelFactsOf(config: ScaffoldConfig) {
  const models = localModelsOf(config);
  const download = sum(models.map(model => model.download));
  return {
    needsKeys: requiredVariables(config).length > 0,
    localModels: models,
    modelCommands: modelCommands(config),
    localDownload: Math.ceil(download),
    localMemory: Math.ceil(sum(models.map(({ memory }) => memory))),
    downloadMinutes: Math.ceil((download * 8000) / DOWNLOAD_SPEED / 60),
    pullsModels: models.some(({ pull }) => pull),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

/** A transport's section, if it's for phones: how a call starts the bot, and the steps to set that up. */
function phoneSection(row: TransportRow, slug: string, forCalls: readonly string[]) {
  const { id, label, family, direction, runnerKey, ambient, reads = [], serverReads } = row;
  const known = new Set([...ambient, ...reads, ...(serverReads ?? [])].map(({ env }) => env));
  const env = forCalls.filter(name => known.has(name)).map(name => `\`${name}\``);
  const setup = callSetups[id];
  if (!setup) return [];
  const isDialIn = family === 'flow' && direction === 'dial-in';
  const stepsOf = (steps: typeof setup.here) => {
    const end = steps.findIndex(({ printsRest }) => printsRest);
    const shown = end < 0 ? steps : steps.slice(0, end + 1);
    return renderSteps(shown, { agent: slug, provider: label, runner: runnerKey, program: PROGRAM }).join('\n');
  };
  return [
    {
      label,
      needsEnv: env.length > 0,
      env: env.join(env.length === 2 ? ' and ' : ', '),
      isPstnDialIn: isDialIn && !serverReads,
      isSipDialIn: isDialIn && serverReads !== undefined,
      isDialOut: family === 'flow' && direction === 'dial-out',
      takesNumber: setup.twilio !== undefined,
      needsTunnel: setup.here.some(({ isTunnel }) => isTunnel),
      here: stepsOf(setup.here),
      cloud: stepsOf(setup.cloud),
    },
  ];
}
