/** How to find out whether a provider accepts a key: one request that reads, and costs nothing. */
export interface KeyCheck {
  /** The variable with the key. */
  env: string;
  provider: string;
  /** The address. `<id>` is the account that `id` names. */
  url: string;
  /** The headers. `<key>` is the key, and `<basic>` the account and the key, encoded for HTTP. */
  headers: Readonly<Record<string, string>>;
  /** The variable that names the key's account. */
  id?: string;
  /** A variable that makes the bot send the key to another address, where this check says nothing. */
  address?: string;
  /** How the provider says in a 400 that it doesn't know the key. */
  refusal?: RegExp;
  /** Where the address and the headers are from: the provider's own library, or its documentation. */
  source: string;
}

const bearer = { Authorization: 'Bearer <key>' };
const basic = { Authorization: 'Basic <basic>' };

/** The keys that can be tried. Lists that anybody may read are no use here, so some providers are missing. */
export const keyChecks: readonly KeyCheck[] = [
  {
    env: 'ANTHROPIC_API_KEY',
    provider: 'Anthropic',
    url: 'https://api.anthropic.com/v1/models?limit=1',
    headers: { 'x-api-key': '<key>', 'anthropic-version': '2026-10-21' },
    address: 'ANTHROPIC_BASE_URL',
    source: 'anthropic on PyPI: models.list',
  },
  {
    env: 'ASSEMBLYAI_API_KEY',
    provider: 'AssemblyAI',
    url: 'https://api.assemblyai.com/v2/transcript?limit=1',
    headers: { Authorization: '<key>' },
    source: 'assemblyai on PyPI: list_transcripts',
  },
  {
    env: 'CARTESIA_API_KEY',
    provider: 'Cartesia',
    url: 'https://api.cartesia.ai/voices?limit=1',
    headers: { ...bearer, 'Cartesia-Version': '2026-08-14' },
    source: 'cartesia on PyPI: voices.list',
  },
  {
    env: 'CEREBRAS_API_KEY',
    provider: 'Cerebras',
    url: 'https://api.cerebras.ai/v1/models',
    headers: bearer,
    source: 'cerebras-cloud-sdk on PyPI: models.list',
  },
  {
    env: 'DAILY_API_KEY',
    provider: 'Daily',
    url: 'https://api.daily.co/v1/rooms?limit=1',
    headers: bearer,
    address: 'DAILY_API_URL',
    source: 'https://docs.daily.co/reference/rest-api/rooms/list-rooms',
  },
  {
    env: 'DEEPGRAM_API_KEY',
    provider: 'Deepgram',
    url: 'https://api.deepgram.com/v1/projects',
    headers: { Authorization: 'Token <key>' },
    source: 'deepgram-sdk on PyPI: manage.v1.projects.list',
  },
  {
    env: 'DEEPSEEK_API_KEY',
    provider: 'DeepSeek',
    url: 'https://api.deepseek.com/models',
    headers: bearer,
    source: 'https://api-docs.deepseek.com/api/list-models',
  },
  {
    env: 'ELEVENLABS_API_KEY',
    provider: 'ElevenLabs',
    url: 'https://api.elevenlabs.io/v1/user',
    headers: { 'xi-api-key': '<key>' },
    source: 'elevenlabs on PyPI: user.get',
  },
  {
    env: 'GOOGLE_API_KEY',
    provider: 'Google Gemini',
    url: 'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1',
    headers: { 'x-goog-api-key': '<key>' },
    refusal: /API_KEY_INVALID/,
    source: 'google-genai on PyPI: models.list',
  },
  {
    env: 'GROQ_API_KEY',
    provider: 'Groq',
    url: 'https://api.groq.com/openai/v1/models',
    headers: bearer,
    source: 'groq on PyPI: models.list',
  },
  {
    env: 'HUME_API_KEY',
    provider: 'Hume',
    url: 'https://api.hume.ai/v0/tts/voices?provider=CUSTOM_VOICE&page_size=1',
    headers: { 'X-Hume-Api-Key': '<key>' },
    source: 'hume on PyPI: tts.voices.list',
  },
  {
    env: 'MISTRAL_API_KEY',
    provider: 'Mistral',
    url: 'https://api.mistral.ai/v1/models',
    headers: bearer,
    source: 'mistralai on PyPI: models.list',
  },
  {
    env: 'OPENAI_API_KEY',
    provider: 'OpenAI',
    url: 'https://api.openai.com/v1/models',
    headers: bearer,
    address: 'OPENAI_BASE_URL',
    source: 'openai on PyPI: models.list',
  },
  {
    env: 'OPENROUTER_API_KEY',
    provider: 'OpenRouter',
    url: 'https://openrouter.ai/api/v1/key',
    headers: bearer,
    source: 'openrouter on PyPI: api_keys.get_current_key_metadata',
  },
  {
    env: 'PLIVO_AUTH_TOKEN',
    provider: 'Plivo',
    url: 'https://api.plivo.com/v1/Account/<id>/',
    headers: basic,
    id: 'PLIVO_AUTH_ID',
    source: 'plivo on PyPI: account.get',
  },
  {
    env: 'SONIOX_API_KEY',
    provider: 'Soniox',
    url: 'https://api.soniox.com/v1/models',
    headers: bearer,
    source: 'soniox on PyPI: models.list',
  },
  {
    env: 'SPEECHMATICS_API_KEY',
    provider: 'Speechmatics',
    url: 'https://asr.api.speechmatics.com/v2/jobs?limit=1',
    headers: bearer,
    source: 'speechmatics-batch on PyPI: list_jobs',
  },
  {
    env: 'TELNYX_API_KEY',
    provider: 'Telnyx',
    url: 'https://api.telnyx.com/v2/balance',
    headers: bearer,
    source: 'telnyx on PyPI: balance.retrieve',
  },
  {
    env: 'TOGETHER_API_KEY',
    provider: 'Together AI',
    url: 'https://api.together.ai/v1/models',
    headers: bearer,
    source: 'https://docs.together.ai/reference/models',
  },
  {
    env: 'TWILIO_AUTH_TOKEN',
    provider: 'Twilio',
    url: 'https://api.twilio.com/2010-04-01/Accounts/<id>.json',
    headers: basic,
    id: 'TWILIO_ACCOUNT_SID',
    source: 'twilio on PyPI: api.v2010.accounts(sid).fetch',
  },
  {
    env: 'XAI_API_KEY',
    provider: 'xAI',
    url: 'https://api.x.ai/v1/api-key',
    headers: bearer,
    refusal: /incorrect api key/i,
    source: 'https://docs.x.ai/api-reference',
  },
];
