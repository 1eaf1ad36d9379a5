import { isPublished, PROGRAM, PROGRAM_IN_CI } from '../about.ts';
import { callSetups, renderSteps } from '../catalog/call-setup.ts';
import { extrasOf, findTransport, type TransportRow } from '../catalog/index.ts';
import { commandOf } from '../config/command.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { renderList } from '../formats/python/render.ts';
import { unique } from '../std.ts';
import { botFactsOf } from './bot/facts.ts';
import { clientUrlOf } from './client.ts';
import { featuresOf } from './features.ts';
import { footerOf, projectTree } from './files/files.ts';
import { localModelsOf, modelCommands } from './handover/next-steps.ts';
import { readableName, slugOf } from './names.ts';
import { SECRET_NAMES } from './protected.ts';
import { py } from './quote.ts';
import { OBSERVABILITY_REQUIREMENTS, PIPECAT_RELEASE, PIPECATCLOUD_REQUIREMENT } from './release.ts';
import { type ChosenService, chosenServices, judgeOf, KIND_LABELS, requiredBy, variableGroups } from './variables.ts';

/** The names that `.gitignore` and `.dockerignore` have. */
const SECRETS: readonly string[] = ['.env', '.env.*', ...SECRET_NAMES];

const hexDigits = (count: number): string => '[0-9a-f]'.repeat(count);

/**
 * Service account files, under their usual names and as downloaded (PROJECT-0123456789ab.json). Only generated files have
 * these patterns, for other tools: a deploy knows such files by their contents.
 */
const ACCOUNT_FILES: readonly string[] = [
  ...['*credential*.json', '*service*account*.json', '*-firebase-adminsdk-*.json', 'sa.json', 'key.json'],
  `*-${hexDigits(12)}.json`,
];

/** What isn't one, although it matches: a number and a UUID. */
const NO_ACCOUNT_FILES: readonly string[] = [
  `*-${'[0-9]'.repeat(12)}.json`,
  `*-${[4, 4, 4, 12].map(hexDigits).join('-')}.json`,
];

/** What templates read: prepared rows and plain booleans, so that templates contain no logic. */
export function factsOf(config: ScaffoldConfig, version: string) {
  const features = featuresOf(config);
  const services = chosenServices(config);
  const dependencies = dependenciesOf(config, services);
  const bot = botFactsOf(config);
  const development = developmentDependencies(config, services, bot.evalTranscriber);
  const name = readableName(config.project_name);
  const slug = slugOf(config.project_name, [...dependencies, ...development, ...INSTALLED_NAMES]);
  const required = requiredBy(config);
  const keysInCi = features.hasEvals ? required.project : [];
  const secretsInCi = [...keysInCi, ...(features.hasCloud ? ['BOTCLI_TOKEN'] : [])];
  return {
    ...features,
    ...bot,
    ...readmeFactsOf(config, slug, version),
    name,
    slug,
    description: `${name}: a voice bot built on Pipecat`,
    secretSet: `${slug}-secrets`,
    programInCi: PROGRAM_IN_CI,
    isReleased: isPublished(version),
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
    serverRequiredEnv: renderList('REQUIRED_ENV', required.callServer.map(py)),
    /** Video needs more than the smallest machine. */
    agentProfile: features.hasVideo ? 'agent-2x' : 'agent-1x',
    /** The filter for phone audio, or for browser audio. */
    noiseFilter: features.isTelephony ? 'tel' : 'pro',
  };
}

/** What README.md and its parts read in addition to the features. */
function readmeFactsOf(config: ScaffoldConfig, slug: string, version: string) {
  const features = featuresOf(config);
  const services = chosenServices(config);
  const rows = config.transports.map(findTransport);
  return {
    botKind: features.hasAvatar ? 'video' : 'voice',
    services: services.map(({ kind, row }) => ({ kind: KIND_LABELS[kind], label: row.label, id: row.id })),
    transports: rows.map(({ id, label }) => ({ id, label })),
    phones: rows.flatMap(row => phoneSection(row, slug, requiredBy(config).callsAlone)),
    clientUrl: clientUrlOf(config),
    /** Browsers talk to the bot on the framework's own page, but could have a client. A phone bot has none. */
    hasFrameworkPageOnly: features.hasWeb && !features.hasClient && !features.isTelephony,
    tree: projectTree(features),
    ...modelFactsOf(config),
    cloudHints: unique(services.flatMap(({ row }) => row.inCloud ?? [])),
    command: commandOf(config),
    program: PROGRAM,
    readmeFooter: footerOf(version),
  };
}

/** A common speed, in Mbit/s. */
const DOWNLOAD_SPEED = 50;

/** What the README says about the models that run on this computer: GB, and minutes. */
function modelFactsOf(config: ScaffoldConfig) {
  const models = localModelsOf(config);
  const download = sum(models.map(model => model.download));
  return {
    needsKeys: requiredBy(config).project.length > 0,
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

const FRAMEWORK_EXTRAS = ['runner', 'silero'];

/**
 * What the command `pipecat eval` imports. The framework's extra for it would add an index of its documentation, with 40
 * packages and 50 MB.
 */
const EVAL_COMMAND_REQUIREMENTS = ['jinja2>=3.1,<4', 'questionary>=2,<3', 'rich>=13,<14', 'typer>=0.20,<1'];

/** The extra with the voice of the person in spoken evals. */
const EVAL_VOICE = 'kokoro';

/** The packages that a bot runs with, as pyproject.toml requires them. */
function dependenciesOf(config: ScaffoldConfig, services: readonly ChosenService[]): string[] {
  const extras = unique([
    ...FRAMEWORK_EXTRAS,
    ...(config.enable_observability ? ['tracing'] : []),
    ...services.flatMap(({ row }) => extrasOf(row)),
    ...config.transports.flatMap(id => findTransport(id).extras),
  ]).sort();
  return [
    `pipecat-ai[${extras.join(',')}]==${PIPECAT_RELEASE}`,
    ...services.flatMap(({ row }) => row.packages ?? []),
    ...config.transports.flatMap(id => findTransport(id).packages ?? []),
    ...(config.deploy_to_cloud ? [PIPECATCLOUD_REQUIREMENT] : []),
    ...(config.enable_observability ? OBSERVABILITY_REQUIREMENTS : []),
  ];
}

function developmentDependencies(
  config: ScaffoldConfig,
  services: readonly ChosenService[],
  transcriber: string,
): string[] {
  const known = services.flatMap(({ row }) => extrasOf(row));
  const judge = judgeOf(config);
  const own = judge ? extrasOf(judge).filter(extra => !known.includes(extra)) : [];
  const checks = ['pyright>=1.1.409,<2', 'ruff>=0.15,<1'];
  if (!config.enable_eval) return checks;
  const extras = unique([...own, EVAL_VOICE, transcriber])
    .sort()
    .join(',');
  return [`pipecat-ai[${extras}]==${PIPECAT_RELEASE}`, ...EVAL_COMMAND_REQUIREMENTS, ...checks];
}

/**
 * The packages that uv may install for a project of `PIPECAT_RELEASE`: those that pipecat-ai, the extras and packages in the
 * catalog, and the development packages need, and what these need. A project that is named like one can't be installed.
 * Renew it with the release: `uv pip compile --universal --python-version 3.11 --no-header --no-annotate` lists them.
 */
const INSTALLED_NAMES: readonly string[] = `
  agent-detector aiobotocore aiofiles aiohappyeyeballs aiohttp aiohttp-retry aioice aioitertools aiortc aiosignal
  aliyun-python-sdk-core aliyun-python-sdk-kms annotated-doc annotated-types anthropic antlr4-python3-runtime anyio
  attrs audioop-lts audioread av aws-sdk-bedrock-runtime aws-sdk-sagemaker-runtime-http2 aws-sdk-signers awscrt
  azure-cognitiveservices-speech azure-core bcrypt beartype botocore build camb-sdk certifi cffi charset-normalizer
  chromadb click cloudpickle colorama crcmod cryptography ctranslate2 cuda-bindings cuda-pathfinder cuda-toolkit
  daily-python decorator deepgram-sdk detect-installer distro dlinfo dnspython docopt docstring-parser durationpy
  einops email-validator espeakng-loader eval-type-backport exceptiongroup fastapi fastapi-cli fastapi-cloud-cli
  fastar faster-whisper filelock flatbuffers frozenlist fsspec funasr gitdb gitpython google-api-core google-auth
  google-cloud-speech google-cloud-texttospeech google-crc32c google-genai googleapis-common-protos groq grpcio
  grpcio-status grpcio-tools h11 h2 hf-xet hpack httpcore httpcore2 httptools httpx httpx2 httpx2-jsfetch
  huggingface-hub hume hydra-core hyperframe idna ifaddr ijson importlib-resources itsdangerous jaconv jamo jieba
  jinja2 jiter jmespath joblib jsonpath-python jsonschema jsonschema-specifications kaldiio kokoro-onnx kubernetes
  lazy-loader librosa livekit llvmlite loguru loudness markdown markdown-it-py markupsafe mcp mcp-types mdurl
  mistralai mlx mlx-metal mlx-whisper mmh3 modelscope modelscope-hub moonshine-voice more-itertools mpmath msgpack
  multidict narwhals networkx nodeenv num2words numba numpy nvidia-cublas nvidia-cuda-cccl nvidia-cuda-cupti
  nvidia-cuda-nvrtc nvidia-cuda-runtime nvidia-cudnn-cu13 nvidia-cufft nvidia-cufile nvidia-cusolver nvidia-cusparse
  nvidia-cusparselt-cu13 nvidia-nccl-cu13 nvidia-nvjitlink nvidia-nvshmem-cu13 nvidia-nvtx nvidia-riva-client
  oauthlib omegaconf onnxruntime openai opencv-python-headless opentelemetry-api
  opentelemetry-exporter-http-transport opentelemetry-exporter-otlp-common opentelemetry-exporter-otlp-proto-common
  opentelemetry-exporter-otlp-proto-grpc opentelemetry-exporter-otlp-proto-http opentelemetry-instrumentation opentelemetry-proto opentelemetry-sdk
  opentelemetry-semantic-conventions orjson ormsgpack oss2 overrides packaging pathvalidate phonemizer pillow
  pipecat-ai pipecat-ai-context-hub pipecat-ai-prebuilt pipecat-ai-whisker pipecatcloud piper-tts platformdirs
  pocket-tts pooch prompt-toolkit propcache proto-plus protobuf pyasn1 pyasn1-modules pybase64 pycparser pycryptodome
  pydantic pydantic-core pydantic-extra-types pydantic-settings pyee pygments pyjwt pylibsrtp pynndescent pyopenssl
  pypika pyproject-hooks pyright python-dateutil python-dotenv python-multipart pywin32 pyyaml questionary rapidfuzz
  referencing regex requests requests-oauthlib resampy rich rich-toolkit rignore rime-api rpds-py ruff safetensors
  sarvamai scikit-learn scipy sentencepiece sentencex sentry-sdk setuptools shellingham simli-ai six smithy-aws-core
  smithy-aws-event-stream smithy-core smithy-http smithy-json smmap sniffio sounddevice soundfile soxr
  speechmatics-agent-stt speechmatics-rt sse-starlette starlette sympy synchronicity tenacity tensorboardx
  threadpoolctl tiktoken tokenizers toml tomlkit torch torch-complex tqdm transformers tree-sitter
  tree-sitter-typescript triton truststore twilio typer types-protobuf typing-extensions typing-inspection umap-learn
  urllib3 uvicorn uvloop wait-for2 watchfiles wcwidth websocket-client websockets win32-setctime wrapt yarl
`
  .trim()
  .split(/\s+/);
