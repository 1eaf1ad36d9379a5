import Joi from 'joi';
import { remembered } from '../std.ts';
import { UNKNOWN } from './names.ts';

// Schemas for the platform's responses. joi's own messages and errors quote the value, which may be a secret, so they
// never leave this file.

/** What fits a schema. */
type Fit<Schema> = Schema extends Joi.AnySchema<infer Value> ? Value : never;

type Parts = Readonly<Record<string, Joi.AnySchema>>;
type Absent<Keys extends Parts> = {
  [Key in keyof Keys]: undefined extends Fit<Keys[Key]> ? Key : never;
}[keyof Keys];
type Item<Keys extends Parts> = { [Key in Exclude<keyof Keys, Absent<Keys>>]: Fit<Keys[Key]> } & {
  [Key in Absent<Keys>]?: Fit<Keys[Key]>;
};

const text = Joi.string().allow('');
const needed = Joi.string().required();

/** A detail that is missing or odd isn't worth an error: nobody would see the rest of the response. */
const lenient = (instead: string) => Joi.string().failover(instead).default(instead);
const item = <Keys extends Parts>(keys: Keys): Joi.ObjectSchema<Item<Keys>> => Joi.object(keys);
const answer = <Keys extends Parts>(keys: Keys) => item(keys).required();
/** What may be absent, but not odd. */
const perhaps = <Value>(schema: Joi.AnySchema<Value>): Joi.AnySchema<Value | undefined> => schema;
const optional = perhaps(text.failover(''));
/** A detail that is dropped if it has another type. */
const maybe = <Value>(schema: Joi.AnySchema<Value>) => perhaps(schema.empty(null).failover(null));
/** A list, of which no item may be odd. */
const list = <Value>(schema: Joi.AnySchema<Value>): Joi.ArraySchema<Value[]> => Joi.array().items(schema);
const every = <Value>(schema: Joi.AnySchema<Value>) => list(schema).required();
/** A list, whose odd items are dropped. */
const listOf = <Value>(schema: Joi.AnySchema<Value>): Joi.ArraySchema<Value[]> =>
  Joi.array().items(schema, Joi.any().strip()).empty(null).failover([]).default([]);
/** A count or a size. The platform sends some as strings. */
const count: Joi.AnySchema<number> = Joi.any().custom((value: unknown, { error }) => {
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : error('any.invalid');
});
/** A string, or a number as one. */
const textOrNumber: Joi.AnySchema<string> = Joi.any().custom((value: unknown, { error }) =>
  ['string', 'number'].includes(typeof value) ? String(value) : error('any.invalid'),
);

const id = Joi.string().guid({ separator: '-' });
const flag = maybe(Joi.boolean());
const word = maybe(text);
const number = maybe(count);

export type Build = Fit<ReturnType<typeof build>>;

const build = () =>
  item({
    id: id.required(),
    /** `pending`, `building`, `success`, `failed`, `timeout`, or a status that we don't know yet. */
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
          }),
        ),
      }),
    ),
  });

/** What instances of a deployment do. */
const health = () =>
  item({
    ready: flag,
    state: word,
    restartCount: number,
    replicasStarted: number,
    /** Such as `CrashLoopBackOff`, `ImagePullBackOff`, or `OOMKilled`. */
    reason: word,
    lastExitCode: number,
    lastTerminationReason: word,
    headline: word,
    /** Several lines: a traceback. */
    message: word,
  });

type Problem = { code: string; message?: string; error?: string };

/** The errors of an agent. Those in a shape that we don't know count, too: they must not pass for none. */
function problemsIn(errors: unknown): Problem[] {
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

const agentProblems: Joi.AnySchema<Problem[]> = Joi.any().custom(problemsIn).default([]);

/** A deployed bot. */
export type Agent = Fit<ReturnType<typeof agent>>;

const agent = () =>
  item({
    name: needed,
    region: lenient(UNKNOWN),
    createdAt: word,
    deletedAt: word,
    ready: flag,
    available: flag,
    desiredDeploymentId: maybe(id),
    reconciledDeploymentId: maybe(id),
    activeDeploymentReady: flag,
    activeSessionCount: number,
    agentProfile: word,
    autoScaling: scaling(),
    krispViva: maybe(item({ audioFilter: word })),
    /** The documents don't say whether the platform shows it. */
    websocketAuth: word,
    /** Whether GitHub deploys it, too. */
    git: maybe(item({})),
    errors: agentProblems,
    deployment: maybe(deployment()),
    currentRevision: maybe(
      item({
        deploymentID: maybe(id),
        /** `Creating`, `Validating`, `Active`, `Draining`, or `Failed`. */
        phase: word,
        readyReplicas: number,
        health: maybe(health()),
      }),
    ),
  });

export type LogLine = Fit<ReturnType<typeof logLine>>;

/** A line without a text or a time counts, too: pages are counted in lines. */
const logLine = () =>
  item({
    log: lenient(''),
    /** Nanoseconds since 1970, as a decimal string, or an ISO date; empty if the platform names none. */
    timestamp: textOrNumber.failover('').default(''),
    deploymentId: word,
  });

export type BotSession = Fit<ReturnType<typeof session>>;

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

/** Instead of a missing name. No name contains parentheses. */
const UNNAMED = '(unnamed)';
const name = lenient(UNNAMED);
const detail = lenient(UNKNOWN);
const oddRow = { name: UNNAMED, type: UNKNOWN, region: UNKNOWN, status: UNKNOWN };

/** A secret set (`secret`) or an image pull secret (`imagePullSecret`), in a list. */
export type SecretRow = Fit<ReturnType<typeof row>>;

/** The status is `ready`, `pending`, `failed`, `unknown`, or one that we don't know yet. */
const row = () => item({ name, type: detail, region: detail, status: detail, errorMessage: optional });

/** What we read of the platform's responses. A schema is slow to create, so each is created once, when needed. */
const answers = {
  organizations: () => answer({ organizations: every(item({ name: needed, verboseName: lenient('') })) }),
  regions: () => {
    // Older responses have no architectures.
    const architectures = list(text).failover([]).default([]);
    const region = { code: needed, display_name: lenient(''), supported_architectures: architectures };
    return answer({ regions: every(item(region)) });
  },
  properties: () => answer({ properties: answer({ defaultRegion: perhaps(Joi.string()) }) }),
  user: () => answer({ user: answer({ emails: perhaps(list(item({ emailAddress: text.required() }))) }) }),
  sets: () => answer({ sets: every(row().failover(oddRow)) }),
  set: () =>
    answer({
      region: detail,
      status: detail,
      errorMessage: optional,
      source: optional,
      secrets: list(item({ fieldName: name }).failover({ fieldName: UNNAMED }))
        .empty(null)
        .default([])
        // The keys of a referenced set are in another cluster.
        .when('source', { is: 'referenced', otherwise: Joi.required() }),
    }),
  builds: () => answer({ builds: every(build()) }),
  /** If it's the response to the request for a build, `cached` says whether that existed. */
  build: () => answer({ build: build().required(), cached: flag }),
  /** A place to upload a build context to. The address and the fields, which have an order, are secret. */
  upload: () =>
    answer({
      uploadId: needed,
      uploadUrl: needed,
      uploadFields: Joi.object<Record<string, string>>().pattern(text, text).required(),
      expiresAt: word,
    }),
  buildLog: () => answer({ logs: every(lenient('')) }),
  agent: () => agent().required(),
  agents: () => answer({ services: every(agent()) }),
  /** A change of an agent, whose response isn't documented. */
  changed: () => answer({ warning: word, error: Joi.forbidden() }),
  deployments: () => answer({ deployments: every(deployment()) }),
  log: () => answer({ logs: every(logLine()) }),
  sessions: () => answer({ sessions: every(session()) }),
  session: () => session().required(),
  stopped: () => answer({ status: Joi.valid('terminated').required(), error: Joi.forbidden() }),
  keys: () => answer({ public: listOf(item({ id: needed, key: needed, revoked: flag })) }),
  newKey: () => answer({ key: needed }),
  profiles: () => answer({ profiles: listOf(item({ name: needed })) }),
  started: () =>
    answer({ sessionId: word, dailyRoom: word, dailyToken: word, wsUrl: word, token: word, error: Joi.forbidden() }),
  /** A change that was made. */
  done: () => answer({ status: Joi.valid('OK').required(), error: Joi.forbidden() }),
} as const;

export type Answer<Kind extends keyof typeof answers> = Fit<ReturnType<(typeof answers)[Kind]>>;
export type SecretSet = Omit<Answer<'set'>, 'secrets'> & { keys: string[] };
/** An existing secret: a set with its keys, or an image pull secret, whose content is never returned. */
export type Found = { type: 'secret'; set: SecretSet } | { type: 'imagePullSecret'; row: SecretRow };

const schemaOf = remembered((create: () => Joi.AnySchema) => create());

/**
 * The part of a value that a schema describes, with its defaults; undefined if it doesn't match. Other parts are
 * dropped: they may be nested deeply enough to break recursive code. `show` returns what to show of a text with a key.
 */
export function validated<Kind extends keyof typeof answers>(
  kind: Kind,
  value: unknown,
  show: (text: string, key: string) => string,
): Answer<Kind> | undefined {
  const { error, value: fit } = schemaOf(answers[kind]).validate(value, { convert: false, stripUnknown: true });
  if (error) return undefined;
  // A reviver that returns undefined drops the detail.
  const revive = (key: string, part: unknown) => (typeof part === 'string' ? show(part, key) : (part ?? undefined));
  return JSON.parse(JSON.stringify(fit), revive) as Answer<Kind>;
}
