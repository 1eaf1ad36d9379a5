import assert from 'node:assert/strict';
import {
  describeProviderError,
  type Provider,
} from '../../generators/client/templates/shared/src/bot/provider-errors.ts';

const OPENAI = { OPENAI_API_KEY: { name: 'OpenAI', page: 'https://openai.example/keys' } };
const THREE = {
  DEEPGRAM_API_KEY: { name: 'Deepgram', page: '' },
  ...OPENAI,
  CARTESIA_API_KEY: { name: 'Cartesia', page: 'https://cartesia.example/keys' },
};

const RESTART = "If the bot doesn't restart when you save, restart it.";
const DOWN = "The provider isn't available right now. Try again in a moment.";
const checks = (what: string) => `Check ${what} in server/.env. ${RESTART}`;

const cases: [about: string, report: string, shown: string, keys?: Record<string, Provider>][] = [
  [
    'a wrong key, which is not repeated',
    "Error during completion: Error code: 401 - {'error': {'message': 'Incorrect API key provided: sk-12**89. You can find your API key at https://platform.openai.com/account/api-keys.', 'type': 'invalid_request_error', 'param': None, 'code': 'invalid_api_key'}}",
    `Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys. ${checks('`OPENAI_API_KEY`')}`,
  ],
  [
    'no credit',
    "Error code: 429 - {'error': {'message': 'You exceeded your current quota, please check your plan and billing details.', 'type': 'insufficient_quota', 'param': None, 'code': 'insufficient_quota'}}",
    'You exceeded your current quota, please check your plan and billing details. Add credit to your account with the provider, then call again.',
  ],
  [
    'too many requests',
    "Error code: 429 - {'error': {'message': 'Rate limit reached for gpt-4.1', 'type': 'requests', 'code': 'rate_limit_exceeded'}}",
    'Rate limit reached for gpt-4.1. Too many requests: wait a moment, then try again.',
  ],
  [
    'an unknown model, in quotes of the other kind',
    `Error code: 404 - {'error': {'message': "The model 'gpt-9' does not exist or you do not have access to it.", 'code': 'model_not_found'}}`,
    `The model 'gpt-9' does not exist or you do not have access to it. Check the model in server/bot.py. ${RESTART}`,
  ],
  [
    'a wrong voice',
    `Error code: 400 - {'error': {'message': "Invalid value: 'bob'. Supported values are: 'alloy' and 'ash'.", 'param': 'voice', 'code': None}}`,
    `Invalid value: 'bob'. Supported values are: 'alloy' and 'ash'. ${checks('the voice')}`,
  ],
  ['a provider that is down', 'Error code: 503 - Service Unavailable', `Service Unavailable. ${DOWN}`],
  [
    'a sentence after the names of two errors',
    'Error during completion: Error code: 401 - Incorrect API key provided: test.',
    `Incorrect API key provided. Check \`OPENAI_API_KEY\` in server/.env against https://openai.example/keys. ${RESTART}`,
  ],
  ['no network', 'Unknown error occurred: Connection error.', `Connection error. ${DOWN}`],
  [
    'one of three providers, which the error names',
    'DeepgramSTTService#0: server rejected WebSocket connection: HTTP 401',
    `DeepgramSTTService#0: server rejected WebSocket connection: HTTP 401. ${checks('`DEEPGRAM_API_KEY`')}`,
    THREE,
  ],
  [
    'one of three providers, which the error does not name',
    'HTTP 403',
    `HTTP 403. ${checks('`DEEPGRAM_API_KEY`, `OPENAI_API_KEY` and `CARTESIA_API_KEY`')}`,
    THREE,
  ],
  ['a bot without keys', 'HTTP 401', `HTTP 401. ${checks('the keys')}`, {}],
  ['anything else', 'Something odd happened', "Something odd happened. See the bot's log."],
  ['JSON', '{"detail": "Unknown route"}', "Unknown route. See the bot's log."],
];

describe('a web client describes what the bot reports', () => {
  for (const [about, report, shown, keys = OPENAI] of cases)
    it(about, () => assert.equal(describeProviderError(report, keys), shown));
});
