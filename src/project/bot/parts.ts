import type { PythonImport } from '../../catalog/index.ts';
import type { Features } from '../features.ts';
import { dueIn } from '../planned-file.ts';
import type { serviceNeeds } from './service-call.ts';

/** The facts that decide which functions and imports `bot.py` has. */
type BotTraits = Features & ReturnType<typeof serviceNeeds>;

/** Top-level code of `bot.py` that only some bots have. */
interface BotPart {
  /** Its template, next to `bot.py.ejs`. */
  template: string;
  when: readonly (keyof BotTraits)[];
  /** The modules of the standard library that it needs, itself or where it's used. */
  standard?: readonly PythonImport[];
  /** The same for packages. */
  packages?: readonly PythonImport[];
}

/** The optional parts of `bot.py`, in their order there. */
export const botParts: readonly BotPart[] = [
  {
    template: 'bot-parts/runs-locally.py.ejs',
    when: ['checksWhereItRuns'],
    standard: [{ module: 'os' }],
  },
  {
    template: 'bot-parts/noise-filter.py.ejs',
    when: ['hasNoiseFilter'],
    packages: [{ module: 'pipecat.audio.filters.base_audio_filter', names: ['BaseAudioFilter'] }],
  },
  {
    template: 'bot-parts/free-port.py.ejs',
    when: ['hasObservability'],
    standard: [{ module: 'socket' }, { module: 'contextlib', names: ['suppress'] }],
    packages: [{ module: 'pipecat_whisker', names: ['WhiskerServer'] }],
  },
  {
    template: 'bot-parts/load-aggregators.py.ejs',
    when: ['detectsTurns'],
    standard: [{ module: 'asyncio' }],
    packages: [
      { module: 'pipecat.audio.vad.silero', names: ['SileroVADAnalyzer'] },
      { module: 'pipecat.processors.aggregators.llm_response_universal', names: ['LLMUserAggregatorParams'] },
    ],
  },
  {
    template: 'bot-parts/look.py.ejs',
    when: ['looksOnDemand'],
    packages: [
      { module: 'pipecat.adapters.llm.schemas.direct_function', names: ['tool_options'] },
      { module: 'pipecat.frames.frames', names: ['UserImageRequestFrame'] },
      { module: 'pipecat.processors.frame_processor', names: ['FrameDirection'] },
      { module: 'pipecat.services.llm_service', names: ['FunctionCallParams'] },
    ],
  },
  {
    template: 'bot-parts/is-no-picture.py.ejs',
    when: ['looksEverySecond'],
    packages: [
      { module: 'pipecat.frames.frames', names: ['Frame', 'InputImageRawFrame'] },
      { module: 'pipecat.processors.filters.function_filter', names: ['FunctionFilter'] },
    ],
  },
  {
    template: 'bot-parts/requested-call.py.ejs',
    when: ['hasCallFlow'],
    packages: [{ module: 'pipecat.transports.daily.transport', names: ['DailyTransport'] }],
  },
  { template: 'bot-parts/call-env.py.ejs', when: ['checksCalls'] },
  { template: 'bot-parts/pstn-dial-in.py.ejs', when: ['takesPstnCalls'] },
  {
    template: 'bot-parts/sip-dial-in.py.ejs',
    when: ['takesSipCalls'],
    standard: [{ module: 'asyncio' }, { module: 'os' }],
    packages: [
      { module: 'twilio.base.exceptions', names: ['TwilioException'] },
      { module: 'twilio.rest', names: ['Client'] },
      { module: 'twilio.twiml.voice_response', names: ['Dial', 'VoiceResponse'] },
    ],
  },
  { template: 'bot-parts/dial-out.py.ejs', when: ['placesCalls'], standard: [{ module: 'asyncio' }] },
];

export const partsOf = (bot: BotTraits): BotPart[] => dueIn(bot, botParts);
