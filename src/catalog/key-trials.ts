/** How to find out whether a provider accepts a key: one request that reads, and costs nothing. */
interface KeyTrial {
  /** The variable with the key. */
  env: string;
  provider: string;
  /** The address. `<id>` is the account that `id` names. */
  url: string;
  /** The headers. `<key>` is the key, and `<basic>` the account and the key, encoded for HTTP. */
  headers: Readonly<Record<string, string>>;
  /** The variable that names the key's account. */
  id?: string;
  /** A variable that makes the bot send the key to another address, where this trial says nothing. */
  address?: string;
  /** How the provider says in a 400 that it doesn't know the key. */
  refusal?: RegExp;
  /** Where the address and the headers are from: the provider's own library, or its documentation. */
  source: string;
}

const bearer = { Authorization: 'Bearer <key>' };
const basic = { Authorization: 'Basic <basic>' };

type Details = Pick<KeyTrial, 'source'> & Partial<KeyTrial>;

/** Most providers take the key as a bearer token. */
const trial = (env: string, provider: string, url: string, details: Details): KeyTrial => ({
  env,
  provider,
  url,
  headers: bearer,
  ...details,
});

/** The keys that can be tried. Lists that anybody may read are no use here, so some providers are missing. */
export const keyTrials: readonly KeyTrial[] = [
  trial('ANTHROPIC_API_KEY', 'Anthropic', 'https://api.anthropic.com/v1/models?limit=1', {
    headers: { 'x-api-key': '<key>', 'anthropic-version': '2026-10-21' },
    address: 'ANTHROPIC_BASE_URL',
    source: 'anthropic on PyPI: models.list',
  }),
  trial('ASSEMBLYAI_API_KEY', 'AssemblyAI', 'https://api.assemblyai.com/v2/transcript?limit=1', {
    headers: { Authorization: '<key>' },
    source: 'assemblyai on PyPI: list_transcripts',
  }),
  trial('CARTESIA_API_KEY', 'Cartesia', 'https://api.cartesia.ai/voices?limit=1', {
    headers: { ...bearer, 'Cartesia-Version': '2026-08-14' },
    source: 'cartesia on PyPI: voices.list',
  }),
  trial('CEREBRAS_API_KEY', 'Cerebras', 'https://api.cerebras.ai/v1/models', {
    source: 'cerebras-cloud-sdk on PyPI: models.list',
  }),
  trial('DAILY_API_KEY', 'Daily', 'https://api.daily.co/v1/rooms?limit=1', {
    address: 'DAILY_API_URL',
    source: 'https://docs.daily.co/reference/rest-api/rooms/list-rooms',
  }),
  trial('DEEPGRAM_API_KEY', 'Deepgram', 'https://api.deepgram.com/v1/projects', {
    headers: { Authorization: 'Token <key>' },
    source: 'deepgram-sdk on PyPI: manage.v1.projects.list',
  }),
  trial('DEEPSEEK_API_KEY', 'DeepSeek', 'https://api.deepseek.com/models', {
    source: 'https://api-docs.deepseek.com/api/list-models',
  }),
  trial('ELEVENLABS_API_KEY', 'ElevenLabs', 'https://api.elevenlabs.io/v1/user', {
    headers: { 'xi-api-key': '<key>' },
    source: 'elevenlabs on PyPI: user.get',
  }),
  trial('GOOGLE_API_KEY', 'Google Gemini', 'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1', {
    headers: { 'x-goog-api-key': '<key>' },
    refusal: /API_KEY_INVALID/,
    source: 'google-genai on PyPI: models.list',
  }),
  trial('GROQ_API_KEY', 'Groq', 'https://api.groq.com/openai/v1/models', { source: 'groq on PyPI: models.list' }),
  trial('HUME_API_KEY', 'Hume', 'https://api.hume.ai/v0/tts/voices?provider=CUSTOM_VOICE&page_size=1', {
    headers: { 'X-Hume-Api-Key': '<key>' },
    source: 'hume on PyPI: tts.voices.list',
  }),
  trial('MISTRAL_API_KEY', 'Mistral', 'https://api.mistral.ai/v1/models', { source: 'mistralai on PyPI: models.list' }),
  trial('OPENAI_API_KEY', 'OpenAI', 'https://api.openai.com/v1/models', {
    address: 'OPENAI_BASE_URL',
    source: 'openai on PyPI: models.list',
  }),
  trial('OPENROUTER_API_KEY', 'OpenRouter', 'https://openrouter.ai/api/v1/key', {
    source: 'openrouter on PyPI: api_keys.get_current_key_metadata',
  }),
  trial('PLIVO_AUTH_TOKEN', 'Plivo', 'https://api.plivo.com/v1/Account/<id>/', {
    headers: basic,
    id: 'PLIVO_AUTH_ID',
    source: 'plivo on PyPI: account.get',
  }),
  trial('SONIOX_API_KEY', 'Soniox', 'https://api.soniox.com/v1/models', { source: 'soniox on PyPI: models.list' }),
  trial('SPEECHMATICS_API_KEY', 'Speechmatics', 'https://asr.api.speechmatics.com/v2/jobs?limit=1', {
    source: 'speechmatics-batch on PyPI: list_jobs',
  }),
  trial('TELNYX_API_KEY', 'Telnyx', 'https://api.telnyx.com/v2/balance', {
    source: 'telnyx on PyPI: balance.retrieve',
  }),
  trial('TOGETHER_API_KEY', 'Together AI', 'https://api.together.ai/v1/models', {
    source: 'https://docs.together.ai/reference/models',
  }),
  trial('TWILIO_AUTH_TOKEN', 'Twilio', 'https://api.twilio.com/2010-04-01/Accounts/<id>.json', {
    headers: basic,
    id: 'TWILIO_ACCOUNT_SID',
    source: 'twilio on PyPI: api.v2010.accounts(sid).fetch',
  }),
  trial('XAI_API_KEY', 'xAI', 'https://api.x.ai/v1/api-key', {
    refusal: /incorrect api key/i,
    source: 'https://docs.x.ai/api-reference',
  }),
];
