import assert from 'node:assert/strict';
import { check, filledProject } from '../support/check.ts';
import { SECRET } from '../support/cloud-session.ts';
import { CASCADE } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { inTree } from '../support/trees.ts';

/** What people change in a new project. */
interface Edit {
  /** Code at the top of the bot. */
  bot?: string;
  /** Other files. */
  files?: Record<string, string>;
  /** Lines at the end of `.env`. */
  env?: string;
  /** Nothing is in `.env`. */
  isBlank?: boolean;
  /** Each finding: its level, its code, and the first word of its message. */
  finds?: string[];
}

const PACKAGES = [
  ...['pydantic-settings', 'python-decouple', 'environs', 'django-environ', 'dynaconf', 'boto3'],
  ...['google-cloud-secret-manager', 'hvac', 'typer', 'aiosqlite'],
];

const V2 = 'from pydantic import *\nfrom pydantic_settings import BaseSettings, SettingsConfigDict\n';
const V1 = 'from pydantic import BaseSettings, Field\n';
const USE = 'from settings import settings';
const TOKEN = `CRM_TOKEN=${SECRET}`;
const missing = (...names: string[]) => names.map(name => `error variable-missing: ${name}`);
const perhaps = (...names: string[]) => names.map(name => `warning variable-unset: ${name}`);
const UNFOLLOWED = ['warning variable-not-followed: OPENAI_API_KEY'];

/** A project with settings in a module of their own. */
const settings = (text: string, env = TOKEN, finds: string[] = []): Edit => ({
  bot: USE,
  files: { 'server/settings.py': text },
  env,
  finds,
});

const projects: Record<string, Edit> = {
  'settings, pydantic 2': settings(`${V2}class S(BaseSettings):\n    crm_token: str\nsettings = S()`),
  'settings without the key': settings(
    `${V2}class S(BaseSettings):\n    crm_token: str\nsettings = S()`,
    '',
    missing('CRM_TOKEN'),
  ),
  'settings, pydantic 1': settings(
    `${V1}class S(BaseSettings):\n    crm_token: str\n    class Config:\n        env_file = ".env"\nsettings = S()`,
  ),
  'settings with a prefix of a base in another module': {
    ...settings('from base import Base\nclass S(Base):\n    token: str\nsettings = S()', '', missing('APP_TOKEN')),
    files: {
      'server/base.py': `${V2}class Base(BaseSettings):\n    model_config = SettingsConfigDict(env_prefix="APP_")`,
      'server/settings.py': 'from base import Base\nclass S(Base):\n    token: str\nsettings = S()',
    },
  },
  'settings whose caller has the value': settings(
    `${V2}class S(BaseSettings):\n    crm_token: str\ndef load(value): return S(crm_token=value)\nsettings = load("x")`,
    '',
  ),
  'settings that another module makes': {
    bot: 'from settings import S\nfrom vault import fetch\nsettings = S(crm_token=fetch())',
    files: {
      'server/settings.py': `${V2}class S(BaseSettings):\n    crm_token: str`,
      'server/vault.py': 'def fetch(): return "x"',
    },
  },
  'nested settings': settings(
    `${V2}class Crm(BaseModel):\n    token: str\nclass S(BaseSettings):\n    model_config = SettingsConfigDict(env_nested_delimiter="__")\n    crm: Crm\nsettings = S()`,
    `CRM__TOKEN=${SECRET}`,
  ),
  'settings with an env file': {
    ...settings(
      `${V2}class S(BaseSettings):\n    model_config = SettingsConfigDict(env_file=".env.local")\n    crm_token: str\nsettings = S()`,
    ),
    env: '',
    files: {
      'server/settings.py': `${V2}class S(BaseSettings):\n    model_config = SettingsConfigDict(env_file=".env.local")\n    crm_token: str\nsettings = S()`,
      'server/.env.local': TOKEN,
    },
  },
  'settings from AWS': settings(
    `${V2}class S(BaseSettings):\n    crm_token: str\n    @classmethod\n    def settings_customise_sources(cls, settings_cls, **more): return (aws(),)\nsettings = S()`,
    '',
    ['warning variable-not-followed: CRM_TOKEN'],
  ),
  'settings for tests that have a default': settings(
    `${V2}class S(BaseSettings):\n    crm_token: str\nclass Test(S):\n    crm_token: str = "x"\nsettings = Test()`,
    '',
  ),
  decouple: settings(
    'from decouple import config\nsettings = config("CRM_TOKEN"), config("CRM_URL", default="x", cast=str)',
  ),
  'decouple with a file of its own': {
    bot: USE,
    files: {
      'server/settings.py':
        'from decouple import Config, RepositoryEnv\nconfig = Config(RepositoryEnv("settings.env"))\nsettings = config("CRM_TOKEN")',
      'server/settings.env': TOKEN,
    },
  },
  environs: settings(
    'from environs import Env\nenv = Env()\nenv.read_env()\nwith env.prefixed("CRM_"):\n    settings = env.str("TOKEN"), env.int("PORT", 1)',
  ),
  'django-environ': settings(
    'import environ\nenv = environ.Env(CRM_PORT=(int, 1))\nsettings = env("CRM_TOKEN"), env("CRM_PORT")',
  ),
  dynaconf: settings(
    'from dynaconf import Dynaconf\nsettings = Dynaconf(envvar_prefix="CRM", settings_files=["settings.toml"])\ntoken = settings.TOKEN',
  ),
  'a union with an env file': settings(
    'import os\nfrom dotenv import dotenv_values\nsettings = os.environ | dotenv_values(".env.shared")\ntoken = settings["CRM_TOKEN"]',
  ),
  'AWS Secrets Manager': {
    isBlank: true,
    bot: 'import secrets_loader',
    files: {
      'server/secrets_loader.py':
        'import json, os, boto3\nclient = boto3.client("secretsmanager")\nos.environ.update(json.loads(client.get_secret_value(SecretId="bot")["SecretString"]))',
    },
    finds: UNFOLLOWED,
  },
  'Google Secret Manager': {
    isBlank: true,
    bot: 'import os\nfrom google.cloud import secretmanager\nclient = secretmanager.SecretManagerServiceClient()\nos.environ["OPENAI_API_KEY"] = client.access_secret_version(name="x").payload.data.decode()',
  },
  Vault: {
    isBlank: true,
    bot: 'import hvac, os\nfor key, value in hvac.Client().secrets.kv.read_secret(path="bot")["data"].items():\n    os.environ[key] = value',
    finds: UNFOLLOWED,
  },
  SOPS: { isBlank: true, files: { '.sops.yaml': 'creation_rules: []\n' }, finds: UNFOLLOWED },
  'Docker Compose with the key': {
    isBlank: true,
    files: { 'compose.yaml': 'services:\n  bot:\n    environment:\n      - OPENAI_API_KEY\n' },
    finds: UNFOLLOWED,
  },
  'Docker Compose with an env file of its own': {
    isBlank: true,
    files: { 'docker-compose.yml': 'services:\n  bot:\n    env_file: secrets/bot.env\n' },
    finds: UNFOLLOWED,
  },
  'a debugger with an env file': {
    isBlank: true,
    files: { '.vscode/launch.json': '{"configurations": [{"envFile": "dev.env"}]}' },
    finds: UNFOLLOWED,
  },
  Doppler: { isBlank: true, files: { 'doppler.yaml': 'setup:\n  - project: bot\n' }, finds: UNFOLLOWED },
  'Doppler, in a Makefile': {
    isBlank: true,
    files: { Makefile: 'dev:\n\tcd server && doppler run -- uv run bot.py\n' },
    finds: UNFOLLOWED,
  },
  '1Password, whose values the bot replaces with what .env has': {
    isBlank: true,
    files: { 'server/.env': 'OPENAI_API_KEY="op://My Vault/OpenAI/key"\n' },
    finds: ['error variable-value: server/.env,'],
  },
  '1Password, without a file': {
    isBlank: true,
    files: { justfile: 'dev:\n  op run --env-file op.env -- uv run bot.py\n' },
    finds: UNFOLLOWED,
  },
  direnv: { isBlank: true, files: { '.envrc': 'export OPENAI_API_KEY=$(pass openai)\n' }, finds: UNFOLLOWED },
  'packages in server/': {
    bot: 'from app.crm.client import Crm',
    files: {
      'server/app/crm/client.py':
        'import os\nfrom app.config import URL\nclass Crm:\n    token = os.environ["CRM_TOKEN"]',
      'server/app/config.py': 'URL = "x"',
    },
    env: TOKEN,
  },
  'a src layout': {
    bot: 'from voice.crm import Crm',
    files: { 'server/src/voice/__init__.py': '', 'server/src/voice/crm.py': 'class Crm: pass' },
  },
  'a package next to server/': {
    bot: 'import sys\nsys.path.insert(0, "..")\nfrom shared.crm import Crm',
    files: { 'shared/crm.py': 'class Crm: pass' },
  },
  'a helper with a default': settings(
    'import os\ndef env(name, default=None):\n    value = os.getenv(name, default)\n    if value is None:\n        raise RuntimeError(name)\n    return value\nsettings = env("CRM_TOKEN"), env("CRM_URL", "x")',
  ),
  'a helper in another module': {
    bot: 'from helpers import need\nCRM = need("CRM_TOKEN")',
    files: { 'server/helpers.py': 'import os\ndef need(name: str) -> str:\n    return os.environ[name]' },
    finds: perhaps('CRM_TOKEN'),
  },
  'a dataclass': settings(
    'import os\nfrom dataclasses import dataclass, field\n@dataclass\nclass S:\n    token: str = field(default_factory=lambda: os.environ["CRM_TOKEN"])\n    url: str = field(default_factory=lambda: os.getenv("CRM_URL", "x"))\nsettings = S()',
  ),
  'arguments with defaults': settings(
    'import argparse, os\nparser = argparse.ArgumentParser()\nparser.add_argument("--token", default=os.environ.get("CRM_TOKEN"))\nsettings = parser.parse_args([])',
    '',
    perhaps('CRM_TOKEN'),
  ),
  tests: {
    files: {
      'server/tests/test_bot.py':
        'import os, pytest\n@pytest.fixture\ndef env(monkeypatch):\n    monkeypatch.setenv("CRM_TOKEN", "x")\ndef test_it(env):\n    assert os.environ["CRM_TOKEN"]',
    },
  },
  'a script': {
    files: { 'server/scripts/load.py': 'import os, pandas\nimport db_tools\nURL = os.environ["DB_URL"]' },
    finds: ['warning variable-unset-elsewhere: DB_URL'],
  },
  'a notebook': {
    files: { 'server/notebooks/try.ipynb': '{"cells": [{"source": ["import os; os.environ[\\"X_KEY\\"]"]}]}' },
  },
  'an optional package': { bot: 'try:\n    import uvloop\nexcept ImportError:\n    uvloop = None' },
  'a package with another name': { bot: 'from PIL import Image\nimport yaml, httpx, aiosqlite, zoneinfo' },
};

const faults: Record<string, Edit> = {
  'a missing key, and Docker Compose for a database': {
    isBlank: true,
    files: {
      'compose.yaml':
        'services:\n  db:\n    environment:\n      POSTGRES_USER: bot\n  bot:\n    env_file: server/.env\n',
    },
    finds: ['error env-file-missing: server/.env'],
  },
  'a module that nothing here lists': { bot: 'from helpers import greet\nimport redis' },
  "a key of a transport's own": {
    bot: 'TRANSPORT_ENV: dict[str, list[str]] = {"webrtc": ["TURN_SECRET"]}',
    finds: missing('TURN_SECRET'),
  },
  "keys of two transports' own": {
    bot: 'TRANSPORT_ENV = {"webrtc": ["TURN_SECRET"], "daily": ["DAILY_API_KEY"]}',
    finds: perhaps('TURN_SECRET', 'DAILY_API_KEY'),
  },
  'a key of another provider': {
    bot: 'CRM = os.environ["DEEPGRAM_API_KEY"]',
    env: `DEEPGRAM_API_KEI=${SECRET}`,
    finds: missing('DEEPGRAM_API_KEY'),
  },
  'a nested field that cannot be followed': { bot: 'CRM = os.environ[f"{os.name}_TOKEN"]' },
};

for (const [about, rows] of Object.entries({ 'what people do': projects, 'what goes wrong': faults })) {
  describe(`botcli check and ${about}:`, () => {
    for (const [title, { bot = '', files = {}, env = '', isBlank = false, finds = [] }] of Object.entries(rows)) {
      it(`${title}: ${finds.length === 0 ? 'nothing' : finds.join(', ')}`, async () => {
        const { 'server/.env': filled = '', ...project } = await filledProject(
          resolveFlags({ ...CASCADE, deploy_to_cloud: true }),
        );
        const tree = {
          ...project,
          'server/bot.py': project['server/bot.py']?.replace(/(?=^REQUIRED_ENV)/m, `${bot}\n\n`) ?? '',
          'server/pyproject.toml':
            project['server/pyproject.toml']?.replace(
              'dependencies = [',
              `dependencies = ${JSON.stringify(PACKAGES).slice(0, -1)},`,
            ) ?? '',
          ...(!isBlank && { 'server/.env': `${filled}${env}\n` }),
          ...files,
        };
        const { code, findings } = await inTree(tree, root => check(root));
        const found = findings.map(one => `${one.level} ${one.code}: ${one.message.split(' ')[0]}`);
        assert.deepEqual(found.sort(), [...finds].sort());
        assert.equal(code, finds.some(one => one.startsWith('error')) ? 1 : 0);
      });
    }
  });
}
