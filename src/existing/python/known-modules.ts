/** What comes with Python. */
const STANDARD =
  '__future__ _thread abc aifc annotationlib argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb ' +
  'binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys ' +
  'compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses ' +
  'dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler ' +
  'fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib ' +
  'grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress itertools json keyword ' +
  'linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt ' +
  'multiprocessing netrc nis nntplib nt ntpath numbers opcode operator optparse os ossaudiodev pathlib pdb pickle ' +
  'pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile ' +
  'pyclbr pydoc pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select ' +
  'selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 ssl stat ' +
  'statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib ' +
  'tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty ' +
  'turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound ' +
  'wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo';

/** What comes with the framework, or with packages that bots use with it, unless a lock file says more. */
const ALONG =
  'pipecat pipecat_flows aiofiles aiohttp aiortc annotated_types anthropic anyio attr av azure boto3 botocore cartesia ' +
  'certifi click cryptography cv2 daily deepgram docstring_parser dotenv elevenlabs fastapi google groq grpc httpx jinja2 ' +
  'joblib jwt livekit loguru markdown multidict nltk numba numpy onnxruntime openai opentelemetry orjson packaging PIL ' +
  'protobuf pydantic pydantic_core pydantic_settings pyloudnorm regex requests resampy rich scipy sentry_sdk setuptools ' +
  'soxr starlette tenacity torch tqdm transformers typing_extensions twilio ujson urllib3 uvicorn websockets yaml yarl ' +
  'aiohappyeyeballs aiobotocore aioice aiosignal audioop cffi ctranslate2 distro faster_whisper flatbuffers frozenlist ' +
  'h11 h2 httpcore huggingface_hub idna jiter jmespath kokoro_onnx llvmlite loudness mcp mistralai multipart num2words ' +
  'ormsgpack OpenSSL pipecatcloud propcache psutil pyaudio pycparser pyee pygments questionary safetensors ' +
  'sarvamai sentencex six sniffio soundfile speechmatics sympy threadpoolctl tokenizers torchaudio typer typing_inspection ' +
  'wait_for2 watchfiles wrapt';

/** Packages whose names have nothing of their modules' names. */
const PACKAGES: Readonly<Record<string, string>> = {
  PIL: 'pillow',
  MySQLdb: 'mysqlclient',
  bs4: 'beautifulsoup4',
  cv2: 'opencv-python',
  fitz: 'pymupdf',
  gi: 'pygobject',
  skimage: 'scikit-image',
  sklearn: 'scikit-learn',
  pkg_resources: 'setuptools',
  win32api: 'pywin32',
};

const standard = new Set(STANDARD.split(' '));
const along = new Set(ALONG.split(' '));

export const isStandard = (module: string): boolean => standard.has(module);

/** Returns whether packages may provide a module, as far as their names say. */
export function providedBy(packages: Iterable<string>, hasLock: boolean): (module: string) => boolean {
  const names = [...packages].map(name => name.toLowerCase());
  return module => {
    if (!hasLock && along.has(module)) return true;
    const wanted = [module.split('_'), [PACKAGES[module] ?? module]].map(words => words.map(one => one.toLowerCase()));
    return wanted.some(words => names.some(name => words.every(word => name.includes(word))));
  };
}
