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

const cases: [about: string, keys: Record<string, Provider>, report: string, shown: string][] = [
  [
    'a wrong key, which is not repeated',
    OPENAI,
    "Error during completion: Error code: 401 - {'error': {'message': 'Incorrect API key provided: sk-12**89. You can find your API key at https://platform.openai.com/account/api-keys.', 'type': 'invalid_request_error', 'param': None, 'code': 'invalid_api_key'}}",
    `Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys. Check \`OPENAI_API_KEY\` in server/.env. ${RESTART}`,
  ],
  [
    'no credit',
    OPENAI,
    "Error code: 429 - {'error': {'message': 'You exceeded your current quota, please check your plan and billing details.', 'type': 'insufficient_quota', 'param': None, 'code': 'insufficient_quota'}}",
    'You exceeded your current quota, please check your plan and billing details. Add credit to your account with the provider, then call again.',
  ],
  [
    'too many requests',
    OPENAI,
    "Error code: 429 - {'error': {'message': 'Rate limit reached for gpt-4.1', 'type': 'requests', 'code': 'rate_limit_exceeded'}}",
    'Rate limit reached for gpt-4.1. Too many requests: wait a moment, then try again.',
  ],
  [
    'an unknown model, in quotes of the other kind',
    OPENAI,
    `Error code: 404 - {'error': {'message': "The model 'gpt-9' does not exist or you do not have access to it.", 'code': 'model_not_found'}}`,
    `The model 'gpt-9' does not exist or you do not have access to it. Check the model in server/bot.py. ${RESTART}`,
  ],
  [
    'a wrong voice',
    OPENAI,
    `Error code: 400 - {'error': {'message': "Invalid value: 'bob'. Supported values are: 'alloy' and 'ash'.", 'param': 'voice', 'code': None}}`,
    `Invalid value: 'bob'. Supported values are: 'alloy' and 'ash'. Check the voice in server/.env. ${RESTART}`,
  ],
  [
    'a provider that is down',
    OPENAI,
    'Error code: 503 - Service Unavailable',
    "Service Unavailable. The provider isn't available right now. Try again in a moment.",
  ],
  [
    'a sentence after the names of two errors',
    OPENAI,
    'Error during completion: Error code: 401 - Incorrect API key provided: test.',
    `Incorrect API key provided. Check \`OPENAI_API_KEY\` in server/.env against https://openai.example/keys. ${RESTART}`,
  ],
  [
    'no network',
    OPENAI,
    'Unknown error occurred: Connection error.',
    "Connection error. The provider isn't available right now. Try again in a moment.",
  ],
  [
    'one of three providers, which the error names',
    THREE,
    'DeepgramSTTService#0: server rejected WebSocket connection: HTTP 401',
    `DeepgramSTTService#0: server rejected WebSocket connection: HTTP 401. Check \`DEEPGRAM_API_KEY\` in server/.env. ${RESTART}`,
  ],
  [
    'one of three providers, which the error does not name',
    THREE,
    'server rejected WebSocket connection: HTTP 403',
    `server rejected WebSocket connection: HTTP 403. Check \`DEEPGRAM_API_KEY\`, \`OPENAI_API_KEY\` and \`CARTESIA_API_KEY\` in server/.env. ${RESTART}`,
  ],
  ['a bot without keys', {}, 'HTTP 401', `HTTP 401. Check the keys in server/.env. ${RESTART}`],
  ['anything else', OPENAI, 'Something odd happened', "Something odd happened. See the bot's log."],
  ['JSON', OPENAI, '{"detail": "Unknown route"}', "Unknown route. See the bot's log."],
];

describe('a web client describes what the bot reports', () => {
  for (const [about, keys, report, shown] of cases) {
    it(about, () => assert.equal(describeProviderError(report, keys), shown));
  }
});
