import assert from 'node:assert/strict';
import { readModules } from '../../../src/existing/needs.ts';
import { PythonReads } from '../../../src/existing/python/reads.ts';

const SETTINGS = 'from pydantic_settings import BaseSettings, SettingsConfigDict\nclass Settings(BaseSettings):\n';

/** What a module reads that is a project's only one. */
const readsIn = (source: string): PythonReads =>
  readModules(new Map([['server/bot.py', source]])).get('server/bot.py') as PythonReads;

describe('the variables that Python reads', () => {
  const required: [source: string, names: string][] = [
    ['os.environ["A"]', 'A'],
    ["from os import environ\nenviron['A']", 'A'],
    ['import os as o\no.environ["A"]', 'A'],
    ['x = os.environ["A"] == "1"', 'A'],
    ['os.environ[ # why\n  "A" ]', 'A'],
    ['os.environ[name]', ''],
    ['os.environ["A" + "B"]', ''],
    ['# os.environ["A"]', ''],
    ['"""\nos.environ["A"]\n"""', ''],
    ["r'\\' + os.environ['A']", ''],
    ['f"{os.environ["A"]}"', 'A'],
    ["f\"{os.environ['A'].strip():>{os.environ['B']}} {{os.environ['C']}}\"", 'A B'],
    ['f"""\n{\n  os.environ["A"]\n}\n"""', 'A'],
    ['rf"{os.environ[\'A\']}" b"{os.environ[\'B\']}"', 'A'],
    ["'never closed\nos.environ['A']", 'A'],
    ["f'{never closed\nos.environ['A']", 'A'],
    ['"""never closed\nos.environ["A"]', ''],
    ['os.environ["A"] = os.environ["A"].strip()', 'A'],
    ['del os.environ["A"]', ''],
    ['os.environ.pop("A")', 'A'],
    ['os.environ.pop("A", None)', ''],
    ['if "A" in os.environ:\n  os.environ["A"]', ''],
    ['os.environ["A"] if os.getenv("A") else 1', ''],
    ['"A" in os.environ and os.environ["A"]', ''],
    ['if "A" not in os.environ:\n  a = 1\nelse:\n  a = os.environ["A"]', ''],
    ['if not os.getenv("A"):\n  pass\nelif x:\n  os.environ["A"]', ''],
    ['def f():\n  if "A" not in os.environ:\n    return\n  os.environ["A"]', ''],
    ['os.environ["A"]\ndef log(): return bool(os.getenv("A"))', 'A'],
    ['try:\n  os.environ["A"]\nexcept KeyError:\n  a = 1', ''],
    ['try:\n  os.environ["A"]\nexcept KeyError as e:\n  raise SystemExit("no A") from e', 'A'],
    ['with suppress(KeyError):\n  os.environ["A"]', ''],
    ['if __name__ == "__main__":\n  os.environ["A"]', 'A'],
    ['NAMES = ["A"]\nx = {n: os.environ[n] for n in NAMES if n in os.environ}', ''],
    ['NAME = "A"\nos.environ[NAME]', 'A'],
    ['from os import environ as E\nE["A"]', 'A'],
    ['request.environ["A"]', ''],
    ['def app(environ, start): environ["A"]', ''],
    ['def want(name): return os.environ.get(name)\nwant("A")', ''],
    ['X = os.getenv("A")\nif X and not check(X):\n  raise E', ''],
    ['X = os.getenv("A") or os.getenv("B") or sys.exit(1)', ''],
    ['OPTIONAL_ENV = ["A"]', ''],
    ['REQUIRED_ENV = ["A"]\nREQUIRED_ENV += ["B"]\nREQUIRED_ENV.append("C")\nREQUIRED_ENV.extend(["D"])', 'A B C D'],
    ['BASE = ["A"]\nREQUIRED_ENV = [*BASE, "B"] + ["C"]', 'A B C'],
    [`${SETTINGS}  a_key: str\n  b: str = "x"\n  c: str = Field(...)\n  d: str = Field(default="")`, 'A_KEY C'],
    [
      `${SETTINGS}  a: SecretStr = Field(alias="KEY")\n  b: str = Field(validation_alias="B_KEY", min_length=1)`,
      'KEY B_KEY',
    ],
    [
      `${SETTINGS}  model_config = SettingsConfigDict(env_prefix="APP_")\n  a: str\n  b: str = Field(alias="B")`,
      'APP_A B',
    ],
    [`${SETTINGS}  class Config:\n    env_prefix = "app_"\n  a: str`, 'APP_A'],
    [`${SETTINGS}  a: ClassVar[str]\n  _b: str\n  def f(self):\n    x: str`, ''],
    [`${SETTINGS}  pass\nclass More(Settings):\n  a: str`, 'A'],
    [
      'from pydantic import BaseSettings, Field\nclass S(BaseSettings):\n  a: Optional[str]\n  b: str = Field(..., env="X")',
      'X',
    ],
    ['import pydantic_settings as p\nclass S(p.BaseSettings):\n  a: str', 'A'],
    [`${SETTINGS}  a: str = Field(validation_alias=AliasChoices("A", "B"))`, ''],
    [`class Settings(BaseModel):\n  a: str`, ''],
    [`${SETTINGS}  model_config = SettingsConfigDict(env_prefix="X_")\nclass More(Settings):\n  a: str`, 'X_A'],
    [`${SETTINGS}  class Config:\n    env_prefix = "X_"\n  a: str\nclass More(Settings):\n  a: str = "b"`, ''],
    [`${SETTINGS}  a: Annotated[str, Field(default="x")]\n  b: Annotated[str, Field()]`, 'B'],
    [`${SETTINGS}  a: Annotated[str, Field(alias="KEY")]\n  b: typing.Annotated[str, p.Field(default="x")]`, 'KEY'],
    [`${SETTINGS}  a: str\n  b: str\ns = Settings(a=secret())`, 'B'],
    [`def make(): return Settings(key=1)\n${SETTINGS}  a: str = Field(alias="key")`, ''],
    [`${SETTINGS}  a: str\ns = Settings(**secrets)`, ''],
    [`${SETTINGS}  a: str\nclass Test(Settings):\n  a: str = "x"\ns = Test()`, ''],
    [`${SETTINGS}  model_config = SettingsConfigDict(env_prefix=PREFIX)\n  a: str`, ''],
    ['REQUIRED_ENV: list[str] = [\n  "A",  # why\n  "B",\n]', 'A B'],
    ['REQUIRED_ENV = ["A"]\nif x:\n  y = os.environ["A"]', 'A'],
    ['os.getenv("A")', ''],
    // These ways to name a variable are not followed.
    ['def need(x, name):\n  return os.environ[name]\nneed(1, "A"); need(1, name="B")', ''],
    ['def all_of(names):\n  return [os.environ[n] for n in names]\nall_of(["A", "B"])', ''],
  ];
  for (const [source, names] of required) {
    it(`${JSON.stringify(source)} requires ${names || 'nothing'}`, () => {
      const { required, asScript } = readsIn(source);
      assert.equal([...required, ...asScript].join(' '), names);
    });
  }

  const conditional: [source: string, names: string][] = [
    ['if TYPE_CHECKING:\n  os.environ["A"]\nelse:\n  os.environ["B"]', 'B'],
    ['if os.getenv("USE"):\n  os.environ["A"]', ''],
    ['USE = os.getenv("USE")\nif USE:\n  if x:\n    os.environ["A"]', ''],
    ['if use:\n  os.environ["A"]', 'A'],
    ['match x:\n  case 1: os.environ["A"]', 'A'],
    ['os.environ["A"] if x else 1', 'A'],
    ['def f():\n  if x:\n    return 1\n  return os.environ["A"]', 'A'],
    ['try:\n  os.environ["A"]\nexcept Exception:\n  log()', 'A'],
    ['REQUIRED_ENV = []\nif x:\n  REQUIRED_ENV.append("A")', 'A'],
    ['try:\n  os.environ["A"]\nexcept OSError:\n  a = 1', 'A'],
    // A secret that is read without a default.
    ['OpenAI(os.getenv("A_KEY"))', 'A_KEY'],
    ['Service(api_key=os.environ.get("A_KEY"), model="x")', 'A_KEY'],
    ['key = os.getenv("A_KEY")\nService(api_key=key)', 'A_KEY'],
    ['NAME = "A_KEY"\nService(api_key=os.getenv(NAME))', 'A_KEY'],
    ['def need(name): return os.environ[name]\nneed("A_KEY")', 'A_KEY'],
    ['class C:\n  def __init__(self): self.a = self.require("A_KEY")', 'A_KEY'],
    [
      'from decouple import config\nconfig("A_KEY")\nconfig("B_KEY", default=1)\nconfig("C_KEY", cast=int)',
      'A_KEY C_KEY',
    ],
    ['from environs import Env\nenv = Env()\nenv.str("A_KEY"); env("B_KEY"); env.str("C_KEY", "x")', 'A_KEY B_KEY'],
    ['if key := os.getenv("A_KEY"):\n  Service(api_key=key)', ''],
    ['key = os.getenv("A_KEY")\nif not key:\n  raise E', ''],
    ['Service(api_key=os.getenv("A_KEY", "none"))', ''],
    ['Service(api_key=os.getenv("A_KEY") or "none")', ''],
    ['Service(debug=os.getenv("A_MODE"))', ''],
    ['vault.read_secret("A_KEY")', ''],
    // These ways to name a variable are not followed.
    ['E = dict(os.environ)\nE["A"]', ''],
    ['for name in ["A", "B"]:\n  os.environ[name]', ''],
  ];
  for (const [source, names] of conditional) {
    it(`${JSON.stringify(source)} may need ${names || 'nothing'}`, () => {
      assert.equal([...readsIn(source).conditional].join(' '), names);
    });
  }

  const untraced: [source: string, isUntraced: boolean][] = [
    ['os.environ[name]', true],
    ['os.environ[f"{A}_KEY"]', true],
    ['os.getenv(name)', false],
    ['REQUIRED_ENV = load()', true],
    [`${SETTINGS}  a: str = Field(validation_alias=AliasChoices("A", "B"))`, true],
    [`from pydantic import BaseModel\nclass Model(BaseModel):\n  key: str\n${SETTINGS}  llm: Model`, true],
    [`${SETTINGS}  a: str`, false],
  ];
  for (const [source, isUntraced] of untraced) {
    it(`${JSON.stringify(source)} reads ${isUntraced ? 'more than can be named' : 'only what can be named'}`, () => {
      assert.equal(readsIn(source).isUntraced, isUntraced);
    });
  }

  const set: [source: string, assigned: string, hasSources: boolean, files: string][] = [
    ['os.environ["A"] = "1"', 'A', false, ''],
    ['os.environ.setdefault("A", "1")', 'A', false, ''],
    ['os.environ.update({"A": "1"}, B="2")', 'A B', false, ''],
    ['os.environ.update(json.loads(x))', '', true, ''],
    ['os.environ |= load()', '', true, ''],
    ['for k, v in secrets.items():\n  os.environ[k] = v', '', true, ''],
    ['S = dict(os.environ)\nos.environ.update({n: S[n] for n in S})', '', false, ''],
    ['monkeypatch.setenv("A", "x")', 'A', false, ''],
    ['patch.dict("os.environ", {"A": "x"}, clear=True)', 'A clear', false, ''],
    ['patch.dict(os.environ, {"A": "x"})', 'A', false, ''],
    ['subprocess.run(x, env={**os.environ, "A": "1"})', '', false, ''],
    ['env = os.environ', '', false, ''],
    ['load_dotenv()', '', false, ''],
    ['from dotenv import load_dotenv\nload_dotenv(".env.local")', '', false, '.env.local'],
    ['from dotenv import find_dotenv, load_dotenv\nload_dotenv(find_dotenv(".env.x"))', '', false, '.env.x'],
    [
      'from dotenv import load_dotenv\nload_dotenv(Path(__file__).parent / "config" / "dev.env")',
      '',
      false,
      'config/dev.env',
    ],
    ['from dotenv import load_dotenv\nP = BASE / "a.env"\nload_dotenv(dotenv_path=P)', '', false, 'a.env'],
    ['from dotenv import load_dotenv\nload_dotenv(f".env.{x}")', '', true, ''],
    ['from dotenv import load_dotenv\nload_dotenv(path)', '', true, ''],
    [`${SETTINGS}  model_config = SettingsConfigDict(env_file=".env.local")`, '', false, '.env.local'],
    [`${SETTINGS}  model_config = SettingsConfigDict(env_file=BASE / ".env.x", extra="ignore")`, '', false, '.env.x'],
    [`${SETTINGS}  model_config = SettingsConfigDict(env_file=path())`, '', true, ''],
    [`${SETTINGS}  a: str\ns = Settings(_env_file=".env.x")`, '', false, '.env.x'],
    ['from decouple import Config, RepositoryEnv\nconfig = Config(RepositoryEnv("s.env"))', '', false, 's.env'],
    [`${SETTINGS}  model_config = SettingsConfigDict(secrets_dir="/run/secrets")`, '', true, ''],
  ];
  for (const [source, assigned, hasSources, files] of set) {
    it(`${JSON.stringify(source)} sets ${[assigned, files].join(' ').trim() || (hasSources ? 'anything' : 'nothing')}`, () => {
      const reads = readsIn(source);
      assert.deepEqual(
        [[...reads.assigned].join(' '), reads.hasSources, [...reads.envFiles].join(' ')],
        [assigned, hasSources, files],
      );
    });
  }

  const imported: [source: string, modules: string][] = [
    ['import a', 'a'],
    ['import a.b as c, d', 'a.b d'],
    ['from a import b', 'a a.b'],
    ['from a.b import (\n  c,\n  d as e,\n)', 'a.b a.b.c a.b.d'],
    ['from . import a', '. .a'],
    ['from ..a import b', '..a ..a.b'],
    ['x = 1; import a', 'a'],
    ['"import a"\n# import b', ''],
    ['raise Error from error', ''],
  ];
  for (const [source, modules] of imported) {
    it(`${JSON.stringify(source)} imports ${modules || 'nothing'}`, () => {
      assert.equal([...new PythonReads(source).imports].join(' '), modules);
    });
  }

  it('reads anything in reasonable time, even if it is not Python', () => {
    const parts = ['f"', '{', '}', "'''", '"', '\\', '#', '\n', 'os.environ["', '[', ']', '(', 'import ', '\0', '🦜'];
    for (let seed = 1; seed < 400; seed += 1) {
      const source = Array.from({ length: 60 }, (_, at) => parts[(seed * (at + 7) * (at + seed)) % parts.length]).join(
        '',
      );
      new PythonReads(source);
    }
    new PythonReads('f"{'.repeat(5000));
    new PythonReads('('.repeat(100_000));
  });
});
