import { isPublished, PROGRAM_IN_CI } from '../about.ts';
import { extrasOf, findTransport } from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { renderImports, renderList } from '../formats/python/render.ts';
import { unique } from '../std.ts';
import { botFactsOf, OWN_PICTURE, renderModel, serviceImports, serviceNeeds } from './bot/facts.ts';
import { transcriberOf } from './bot/sentences.ts';
import { featuresOf } from './features.ts';
import { readmeFactsOf } from './handover/readme.ts';
import { readableName, slugOf } from './names.ts';
import { ACCOUNT_FILES, NO_ACCOUNT_FILES, SECRET_NAMES } from './protected.ts';
import { py } from './quote.ts';
import {
  EVAL_COMMAND_REQUIREMENTS,
  OBSERVABILITY_REQUIREMENTS,
  PIPECAT_RELEASE,
  PIPECATCLOUD_REQUIREMENT,
} from './release.ts';
import {
  type ChosenService,
  chosenServices,
  judgeOf,
  requiredByCallServer,
  requiredVariables,
  variableGroups,
} from './variables.ts';

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

/** What `evals/judge.py` reads: Python that is ready to paste. */
function judgeFactsOf(config: ScaffoldConfig) {
  const row = judgeOf(config);
  if (!row) return { judge: '', judgeImports: '', judgeClass: '', judgeCall: '' };
  const service = { kind: 'llm', row } as const;
  const { hasOptionalEnv, readsEnv } = serviceNeeds([service]);
  const blocks = [
    renderImports([...(readsEnv ? [{ module: 'os' }] : []), { module: 'typing', names: ['Any'] }]),
    renderImports(serviceImports([service])),
    ...(hasOptionalEnv ? [renderImports([{ module: 'env', names: ['optional_env'] }])] : []),
  ];
  return {
    judge: row.label,
    judgeImports: blocks.join('\n\n'),
    judgeClass: row.className,
    judgeCall: renderModel(row),
  };
}

const FRAMEWORK_EXTRAS = ['runner', 'silero'];

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

function developmentDependencies(config: ScaffoldConfig, services: readonly ChosenService[]): string[] {
  const known = services.flatMap(({ row }) => extrasOf(row));
  const judge = judgeOf(config);
  const own = judge ? extrasOf(judge).filter(extra => !known.includes(extra)) : [];
  const checks = ['pyright>=1.1.409,<2', 'ruff>=0.15,<1'];
  if (!config.enable_eval) return checks;
  const extras = unique([...own, EVAL_VOICE, transcriberOf(config)])
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
