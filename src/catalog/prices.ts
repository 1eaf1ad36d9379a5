import { isObject } from '../std.ts';

/** The prices that a row may have, in US dollars. */
const PRICE_NAMES = [
  // For a million tokens: of text that the model reads, of which some may be cached, and of text that it writes.
  'input',
  'cachedInput',
  'output',
  // The same for tokens of audio.
  'audioInput',
  'cachedAudioInput',
  'audioOutput',
  // For a minute of audio that it transcribes.
  'minute',
  // For a million characters that it speaks.
  'characters',
] as const;

/** The price of a model, and of those in this table where it was read, and when. */
export interface PriceRow extends Partial<Record<(typeof PRICE_NAMES)[number], number>> {
  /** The model's name, after which there may be a date. */
  model: string;
  source?: string;
  date?: string;
}

/** Whether a value is a row: in a file, a price may be anything. */
export const isPriceRow = (row: unknown): row is PriceRow =>
  isObject(row) &&
  typeof row.model === 'string' &&
  ['string', 'undefined'].includes(typeof row.date) &&
  PRICE_NAMES.every(name => ['number', 'undefined'].includes(typeof row[name]));

const OPENAI = 'https://developers.openai.com/api/docs/models';
const TOKENMATH = 'https://tokenmath.io/openai-api-pricing-explained';
const realtime = { input: 4, cachedInput: 0.4, audioInput: 32, cachedAudioInput: 0.4, audioOutput: 64 };

/** The models whose price is public, and counted in what the framework reports. A wrong price is worse than none. */
export const prices: readonly PriceRow[] = [
  { model: 'gpt-transcribe', minute: 0.0045, source: `${OPENAI}/gpt-transcribe`, date: '2026-11-27' },
  { model: 'gpt-realtime-whisper', minute: 0.017, source: `${OPENAI}/gpt-realtime-whisper`, date: '2026-11-27' },
  { model: 'gpt-realtime-2.1', ...realtime, output: 24, source: `${OPENAI}/gpt-realtime-2.1`, date: '2026-11-27' },
  { model: 'gpt-realtime-2', ...realtime, output: 24, source: `${OPENAI}/gpt-realtime-2`, date: '2026-11-27' },
  { model: 'gpt-realtime-1.5', ...realtime, output: 16, source: `${OPENAI}/gpt-realtime-1.5`, date: '2026-11-27' },
  {
    model: 'gpt-realtime-2.1-mini',
    input: 0.6,
    cachedInput: 0.06,
    output: 2.4,
    audioInput: 10,
    cachedAudioInput: 0.3,
    audioOutput: 20,
    source: `${OPENAI}/gpt-realtime-2.1-mini`,
    date: '2026-11-27',
  },
  { model: 'gpt-4.1', input: 2, cachedInput: 0.5, output: 8, source: TOKENMATH, date: '2026-06-21' },
  { model: 'gpt-4.1-mini', input: 0.4, cachedInput: 0.1, output: 1.6, source: TOKENMATH, date: '2026-06-21' },
];
