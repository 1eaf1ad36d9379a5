import Joi from 'joi';
import type { Agent } from './agent-answers.ts';
import { answer, count, item, lenient, listOf, maybe, text, textOrNumber } from './schema-parts.ts';
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
    replicasStarted: number,
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
    name: Joi.string().required(),
    region: lenient(UNKNOWN),
    createdAt: word,
    updatedAt: word,
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
        hasInfrastructureIssue: flag,
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
    completionStatus: word,
    events: listOf(item({ eventCode: Joi.string().required(), eventTs: word })),
  });

/** The parts that we read of responses about builds and agents. */
export const agentAnswers = {
  builds: () => answer({ builds: Joi.array().items(build()).required() }),
  build: () => answer({ build: build().required(), cached: flag }),
  upload: () =>
    answer({
      uploadId: Joi.string().required(),
      uploadUrl: Joi.string().required(),
      uploadFields: Joi.object().pattern(text, text).required(),
      expiresAt: word,
    }),
  buildLog: () => answer({ logs: Joi.array().items(lenient('')).required() }),
  agent: () => agent().required(),
  agents: () => answer({ services: Joi.array().items(agent()).required() }),
  /** A change of an agent, whose response isn't documented. */
  changed: () => answer({ warning: word, error: Joi.forbidden() }),
  deleted: () => answer({ status: Joi.valid('OK').required(), error: Joi.forbidden() }),
  deployments: () => answer({ deployments: Joi.array().items(deployment()).required() }),
  log: () =>
    answer({
      logs: Joi.array()
        .items(
          item({
            // A line without a text or a time counts, too: pages are counted in lines.
            log: lenient(''),
            timestamp: textOrNumber.failover('').default(''),
            deploymentId: maybe(text),
          }),
        )
        .required(),
      total: maybe(item({ value: number, relation: word })),
    }),
  sessions: () => answer({ sessions: Joi.array().items(session()).required(), total_count: number }),
  session: () => session().required(),
  stopped: () => answer({ status: Joi.valid('terminated').required(), error: Joi.forbidden() }),
  keys: () =>
    answer({
      public: listOf(
        item({ id: Joi.string().required(), key: Joi.string().required(), revoked: flag, createdAt: word }),
      ),
    }),
  newKey: () => answer({ key: Joi.string().required() }),
  profiles: () => answer({ profiles: listOf(item({ name: Joi.string().required() })) }),
  started: () =>
    answer({
      sessionId: maybe(text),
      dailyRoom: word,
      dailyToken: word,
      token: word,
      wsUrl: word,
      error: Joi.forbidden(),
    }),
} as const;
