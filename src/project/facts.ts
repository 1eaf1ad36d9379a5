import type { ScaffoldConfig } from '../config/config.ts';
import { renderList } from '../formats/python/calls.ts';
import { renderImports } from '../formats/python/import-statements.ts';
import { PROGRAM_IN_CI } from '../program.ts';
import { dependenciesOf, developmentDependencies } from './bot/dependencies.ts';
import { botFactsOf, OWN_PICTURE } from './bot/facts.ts';
import { judgeFactsOf } from './bot/judge.ts';
import { serviceImports } from './bot/service-call.ts';
import { featuresOf } from './features.ts';
import { readmeFactsOf } from './handover/readme.ts';
import { INSTALLED_NAMES } from './installed-names.ts';
import { readableName, slugOf } from './names.ts';
import { py } from './quote.ts';
import { ACCOUNT_FILES, NO_ACCOUNT_FILES, SECRET_NAMES } from './secret-names.ts';
import { chosenServices, requiredByCallServer, requiredVariables } from './variables/environment.ts';
import { variableGroups } from './variables/variables.ts';

/** The names that `.gitignore` and `.dockerignore` have. */
const SECRETS: readonly string[] = ['.env', '.env.*', ...SECRET_NAMES];

/** What templates read: prepared rows and plain booleans, so that templates contain no logic. */
export function factsOf(config: ScaffoldConfig, version: string) {
  const features = featuresOf(config);
  const services = chosenServices(config);
  const dependencies = dependenciesOf(config, services);
  const development = developmentDependencies(config, services);
  const name = readableName(config.project_name);
  const slug = slugOf(config.project_name, [...dependencies, ...development, ...INSTALLED_NAMES]);
  const keysInCi = features.hasEvals ? requiredVariables(config) : [];
  const secretsInCi = [...keysInCi, ...(features.hasCloud ? ['BOTCLI_TOKEN'] : [])];
  return {
    ...features,
    ...botFactsOf(config),
    ...judgeFactsOf(config),
    ...readmeFactsOf(config, slug, version),
    name,
    slug,
    description: `${name}: a voice bot built on Pipecat`,
    secretSet: `${slug}-secrets`,
    programInCi: PROGRAM_IN_CI,
    testInCi: features.takesText ? 'test' : 'test --audio',
    // Only what has conversations can be tested once more when it's deployed.
    deployInCi: `cloud deploy ${features.hasEvals ? '--gate ' : ''}--skip --json`,
    keysInCi,
    secretsInCi,
    hasSecretsInCi: secretsInCi.length > 0,
    secretNames: SECRETS,
    // Git looks for a pattern with a slash in one directory only.
    gitSecretNames: SECRETS.map(name => (name.includes('/') ? `**/${name}` : name)),
    accountFiles: ACCOUNT_FILES,
    noAccountFiles: NO_ACCOUNT_FILES,
    python: services.some(({ row }) => row.python) ? '3.12' : '3.11',
    dependencies,
    developmentDependencies: development,
    variableGroups: variableGroups(config).map(({ heading, variables }) => ({
      heading,
      // An optional one is commented out.
      variables: variables.map(({ name, description, required, isForCalls }) => ({
        description: isForCalls ? `${description} (only calls need it)` : description,
        line: `${required || isForCalls ? '' : '# '}${name}=`,
      })),
    })),
    serverRequiredEnv: renderList('REQUIRED_ENV', requiredByCallServer(config).map(py)),
    ownPicture: OWN_PICTURE.join(', '),
    modelImports: renderImports(serviceImports(services.filter(({ row }) => row.preload))),
    modelLoads: services.flatMap(({ row }) => row.preload ?? []),
    /** Video needs more than the smallest machine. */
    agentProfile: features.hasVideo ? 'agent-2x' : 'agent-1x',
    /** The filter for phone audio, or for browser audio. */
    noiseFilter: features.isTelephony ? 'tel' : 'pro',
  };
}
