import assert from 'node:assert/strict';
import type { RawConfig } from '../../src/config/options.ts';
import { ON_THIS_COMPUTER } from '../../src/config/quickstart.ts';
import { factsOf } from '../../src/project/facts.ts';
import { LOCAL, PHONE, REALTIME, resolveFlags } from '../support/resolving.ts';

const HERE: RawConfig = { ...ON_THIS_COMPUTER };

/** What the command `pipecat eval` needs. */
const COMMAND = ['jinja2>=3.1,<4', 'questionary>=2,<3', 'rich>=13,<14', 'typer>=0.20,<1'];

type Facts = ReturnType<typeof factsOf>;

describe('the facts of a project', () => {
  const cases: [about: string, given: RawConfig, fact: keyof Facts, value: unknown][] = [
    ['a browser needs the filter for speech close to the microphone', LOCAL, 'noiseFilter', 'pro'],
    ['a phone needs the filter for telephone audio', PHONE, 'noiseFilter', 'tel'],
    ['video needs a bigger machine', { ...LOCAL, video_output: true }, 'agentProfile', 'agent-2x'],
    ["the bot's own language model judges", { ...LOCAL, llm_service: 'anthropic_llm' }, 'judge', 'Anthropic Claude'],
    ["the provider's language model judges a speech-to-speech bot", REALTIME, 'judge', 'OpenAI'],
    ['Google Cloud', { ...REALTIME, realtime_service: 'gemini_vertex_live_realtime' }, 'judge', 'Google Vertex AI'],
    ['AWS', { ...REALTIME, realtime_service: 'aws_nova_realtime' }, 'judge', 'AWS Bedrock'],
    ['a provider without one has no judge', { ...REALTIME, realtime_service: 'ultravox_realtime' }, 'judge', ''],
    ['another key is no key', { ...REALTIME, realtime_service: 'azure_realtime' }, 'judge', ''],
    [
      "a judge brings the packages that the bot doesn't have",
      { ...REALTIME, realtime_service: 'aws_nova_realtime', enable_eval: true },
      'developmentDependencies',
      ['pipecat-ai[aws,kokoro,moonshine]==1.14.0', ...COMMAND, 'pyright>=1.1.409,<2', 'ruff>=0.15,<1'],
    ],
    ['some services need Python 3.12', { ...LOCAL, stt_service: 'deepgram_sagemaker_stt' }, 'python', '3.12'],
    ['the picture has a size', LOCAL, 'ownPicture', '1024, 768'],
    ['the secret set has the name of the project', { ...LOCAL, project_name: 'My Bot' }, 'secretSet', 'my-bot-secrets'],
    ['a local model is loaded ahead', { ...LOCAL, stt_service: 'whisper_stt' }, 'modelLoads', ['WhisperSTTService()']],
    ['everything on this computer needs no account', HERE, 'needsKeys', false],
    ['what the models take is added up', HERE, 'localMemory', 5],
    ['minutes of downloading follow from the size', HERE, 'downloadMinutes', 7],
    ['without a language, texts name none', LOCAL, 'inLanguage', ''],
    ['a language has a name', { ...LOCAL, language: 'pt-BR' }, 'languageName', 'Brazilian Portuguese'],
    ['people hear a language without its region', { ...LOCAL, language: 'pt-BR' }, 'inLanguage', ' in Portuguese'],
    ['evals hear English with what they have', LOCAL, 'evalTranscriber', 'moonshine'],
    ['and Swedish with another model', { ...LOCAL, language: 'sv' }, 'evalTranscriber', 'whisper'],
    [
      'which brings its packages',
      { ...LOCAL, language: 'sv', enable_eval: true },
      'developmentDependencies',
      ['pipecat-ai[kokoro,whisper]==1.14.0', ...COMMAND, 'pyright>=1.1.409,<2', 'ruff>=0.15,<1'],
    ],
    ['the guard of a call waits longer for local models', { ...PHONE, llm_service: 'ollama_llm' }, 'llmPatience', 60],
    ['the guard of a call has no patience for hosted models', PHONE, 'llmPatience', 15],
  ];
  for (const [about, given, fact, value] of cases) {
    it(about, () => assert.deepEqual(factsOf(resolveFlags(given), '1.2.3')[fact], value));
  }
});
