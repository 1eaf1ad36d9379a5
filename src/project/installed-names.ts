/**
 * The packages that uv may install for a project of `PIPECAT_RELEASE`: those that pipecat-ai, the extras and packages in the
 * catalog, and the development packages need, and what these need. A project that is named like one can't be installed.
 * Renew it with the release: `uv pip compile --universal --python-version 3.11 --no-header --no-annotate` lists them.
 */
export const INSTALLED_NAMES: readonly string[] = `
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
  opentelemetry-exporter-otlp-proto-grpc opentelemetry-exporter-otlp-proto-http opentelemetry-proto opentelemetry-sdk
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
