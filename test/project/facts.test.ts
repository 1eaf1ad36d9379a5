import assert from 'node:assert/strict';
import type { RawConfig } from '../../src/config/options.ts';
import { factsOf } from '../../src/project/facts.ts';
import { LOCAL, PHONE, REALTIME, resolveFlags } from '../support/resolving.ts';

const CALLED: RawConfig = { ...REALTIME, transports: ['tel_a'] };
const GEMINI: RawConfig = { ...CALLED, realtime_service: 'gemini_live_realtime' };
const NOVA: RawConfig = { ...CALLED, realtime_service: 'aws_nova_realtime' };
const LIVE: RawConfig = { ...CALLED, realtime_service: 'openai_live_realtime' };

/** What the command `pipecat eval` needs. */
const COMMAND = ['jinja2>=3.1,<4', 'questionary>=2,<3', 'rich>=13,<14', 'typer>=0.20,<1'];

type Facts = ReturnType<typeof factsOf>;

describe('the facts of a project', () => {
  const cases: [about: string, given: RawConfig, fact: keyof Facts, value: unknown][] = [
    ['a browser needs the filter for speech close to the microphone', LOCAL, 'noiseFilter', 'pro'],
    ['Google Cloud', { ...REALTIME, realtime_service: 'gemini_vertex_live_realtime' }, 'judge', 'Google Vertex AI'],
    ['AWS', { ...REALTIME, realtime_service: 'aws_nova_realtime' }, 'judge', 'AWS Bedrock'],
    ['another key is no key', { ...REALTIME, realtime_service: 'azure_realtime' }, 'judge', ''],
    [
      "a judge brings the packages that the bot doesn't have",
      { ...REALTIME, realtime_service: 'aws_nova_realtime', enable_eval: true },
      'developmentDependencies',
      ['pipecat-ai[aws,kokoro,moonshine]==1.14.0', ...COMMAND, 'pyright>=1.1.409,<2', 'ruff>=0.15,<1'],
    ],
    ['some services need Python 3.12', { ...LOCAL, stt_service: 'deepgram_sagemaker_stt' }, 'python', '3.12'],
    ['and Swedish with another model', { ...LOCAL, language: 'sv' }, 'evalTranscriber', 'whisper'],
    [
      'which brings its packages',
      { ...LOCAL, language: 'sv', enable_eval: true },
      'developmentDependencies',
      ['pipecat-ai[kokoro,whisper]==1.14.0', ...COMMAND, 'pyright>=1.1.409,<2', 'ruff>=0.15,<1'],
    ],
    ['the guard of a call pings some services over their socket', GEMINI, 'socket', '_session._ws'],
    ['asks some to repeat by a frame', GEMINI, 'asksByFrame', true],
    ['counts the turns of those that answer no ping', NOVA, 'countsTurns', true],
    ['asks callers of those to repeat', NOVA, 'asksCallersToRepeat', true],
    ['by a message', NOVA, 'asksByMessage', true],
    ['asks none that takes no text', LIVE, 'asksToRepeat', false],
    ['a phone bot greets its evals', { ...PHONE, enable_eval: true }, 'greetsClients', true],
    ['the guard of a call waits longer for local models', { ...PHONE, llm_service: 'ollama_llm' }, 'llmPatience', 60],
  ];
  for (const [about, given, fact, value] of cases) {
    it(about, () => assert.deepEqual(factsOf(resolveFlags(given), '1.2.3')[fact], value));
  }
});
