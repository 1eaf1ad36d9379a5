import Joi from 'joi';
import type { Agent } from './agent-answers.ts';
import { answer, count, every, item, lenient, listOf, maybe, needed, text, textOrNumber } from './schema-parts.ts';
import { UNKNOWN } from './status.ts';

const id = Joi.string().guid({ separator: '-' });
const flag = maybe(Joi.boolean());
const word = maybe(text);
const number = maybe(count);

const build = () =>
  item({
    id: id.required(),
    status: lenient(UNKNOWN),
    region: word,
    contextHash: word,
    dockerfilePath: word,
    errorMessage: word,
    createdAt: word,
    buildDurationSeconds: number,
  });

const scaling = () => maybe(item({ minReplicas: number, maxReplicas: number }));

const deployment = () =>
  item({
    id: id.required(),
    createdAt: word,
    buildId: maybe(id),
    manifest: maybe(
      item({
        spec: maybe(
          item({
            image: word,
            autoScaling: scaling(),
            imagePullSecretName: word,
            envFromSecretNames: listOf(text),
            maxSessionDurationSeconds: number,
            krispViva: maybe(item({ audioFilters: flag })),
          }),
        ),
      }),
    ),
  });

const health = () =>
  item({
    ready: flag,
    state: word,
    restartCount: number,
    reason: word,
    lastExitCode: number,
    lastTerminationReason: word,
    headline: word,
    message: word,
  });

/** The errors of an agent. Those in a shape that we don't know count, too: they must not pass for none. */
function problemsIn(errors: unknown): Agent['errors'] {
  const isNone = !errors || (typeof errors === 'object' && Object.keys(errors).length === 0);
  const all = Array.isArray(errors) ? errors : isNone ? [] : [errors];
  return all
    .filter(one => one !== null)
    .map((one: unknown) => {
      const { code, message, error } = Object(one) as Record<string, unknown>;
      const texts = Object.entries({ message: typeof one === 'string' ? one : message, error });
      return {
        code: typeof code === 'string' ? code : UNKNOWN,
        ...Object.fromEntries(texts.filter(([, text]) => typeof text === 'string')),
      };
    });
}

const agent = () =>
  item({
    name: needed,
    region: lenient(UNKNOWN),
    createdAt: word,
    ready: flag,
    available: flag,
    desiredDeploymentId: maybe(id),
    reconciledDeploymentId: maybe(id),
    activeDeploymentReady: flag,
    activeSessionCount: number,
    agentProfile: word,
    autoScaling: scaling(),
    krispViva: maybe(item({ audioFilter: word })),
    websocketAuth: word,
    git: maybe(item({})),
    errors: Joi.any().custom(problemsIn).default([]),
    deployment: maybe(deployment()),
    currentRevision: maybe(
      item({
        deploymentID: maybe(id),
        phase: word,
        readyReplicas: number,
        health: maybe(health()),
      }),
    ),
  });

const session = () =>
  item({
    sessionId: id.required(),
    deploymentId: maybe(id),
    createdAt: word,
    endedAt: word,
    botStartSeconds: number,
    endState: word,
    events: listOf(item({ eventCode: needed })),
  });

/** The parts that we read of responses about builds and agents. */
export const agentAnswers = {
  builds: () => answer({ builds: every(build()) }),
  build: () => answer({ build: build().required(), cached: flag }),
  upload: () =>
    answer({
      uploadId: needed,
      uploadUrl: needed,
      uploadFields: Joi.object().pattern(text, text).required(),
      expiresAt: word,
    }),
  buildLog: () => answer({ logs: every(lenient('')) }),
  agent: () => agent().required(),
  agents: () => answer({ services: every(agent()) }),
  /** A change of an agent, whose response isn't documented. */
  changed: () => answer({ warning: word, error: Joi.forbidden() }),
  deleted: () => answer({ status: Joi.valid('OK').required(), error: Joi.forbidden() }),
  deployments: () => answer({ deployments: every(deployment()) }),
  log: () =>
    answer({
      // A line without a text or a time counts, too: pages are counted in lines.
      logs: every(item({ log: lenient(''), timestamp: textOrNumber.failover('').default(''), deploymentId: word })),
    }),
  sessions: () => answer({ sessions: every(session()) }),
  session: () => session().required(),
  stopped: () => answer({ status: Joi.valid('terminated').required(), error: Joi.forbidden() }),
  keys: () => answer({ public: listOf(item({ id: needed, key: needed, revoked: flag })) }),
  newKey: () => answer({ key: needed }),
  profiles: () => answer({ profiles: listOf(item({ name: needed })) }),
  started: () => answer({ sessionId: word, dailyRoom: word, dailyToken: word, error: Joi.forbidden() }),
} as const;
