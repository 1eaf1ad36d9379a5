import type { ScaffoldConfig } from '../../config/config.ts';
import { featuresOf } from '../features.ts';
import { chosenServices, requiredVariables } from '../variables/environment.ts';

/** A common speed, in Mbit/s. */
const DOWNLOAD_SPEED = 50;

/** What the README says about the models that run on this computer: GB, and minutes. */
export function localModelsOf(config: ScaffoldConfig) {
  const models = modelsOf(config);
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

/** The commands, in `server/`, that download the models. */
export function modelCommands(config: ScaffoldConfig): string[] {
  const { hasLocalModels, loadsModels } = featuresOf(config);
  if (!hasLocalModels) return [];
  const pulls = modelsOf(config).flatMap(({ pull }) => pull ?? []);
  return [...pulls, ...(loadsModels ? ['uv run download_models.py'] : [])];
}

const modelsOf = (config: ScaffoldConfig) =>
  chosenServices(config).flatMap(({ row: { label, local } }) =>
    local ? [{ ...local, label: label.replace(/ on this machine$/, '') }] : [],
  );

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
