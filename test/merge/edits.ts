import assert from 'node:assert/strict';
import type { RawConfig } from '../../src/config/options.ts';
import { CASCADE, CLIENTS, type Project, REALTIME } from '../support/projects.ts';

/** Changes of choices, from a bot with OpenAI's services in a browser. */
export const CHANGES: Readonly<Record<string, RawConfig>> = {
  'add evals': { ...CASCADE, enable_eval: true },
  'add recording': { ...CASCADE, recording: true },
  'add transcription': { ...CASCADE, transcription: true },
  'add observability': { ...CASCADE, enable_observability: true },
  'add noise cancellation': { ...CASCADE, enable_noisecancel: true },
  'add video input': { ...CASCADE, video_input: true },
  'add an avatar': { ...CASCADE, video_service: 'simli_video' },
  'add a web client': { ...CASCADE, ...CLIENTS.vanilla },
  'add a phone line': { ...CASCADE, transports: ['rtc_local', 'tel_a'] },
  'add hosted WebRTC': { ...CASCADE, transports: ['rtc_local', 'rtc_hosted'] },
  'swap the speech-to-text': { ...CASCADE, stt_service: 'deepgram_stt' },
  'swap the language model': { ...CASCADE, llm_service: 'anthropic_llm' },
  'swap the text-to-speech': { ...CASCADE, tts_service: 'cartesia_tts' },
  'go to speech-to-speech': REALTIME,
  'choose a language': { ...CASCADE, language: 'de' },
  'remove the cloud': { ...CASCADE, deploy_to_cloud: false },
  'change the name': { ...CASCADE, project_name: 'Reception' },
};

export type Edit = readonly [path: string, before: string, after: string];

/** What people do to a project in their first days. */
export const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  'the prompt': [
    [
      'server/bot.py',
      'You are a friendly assistant in a voice conversation. Your words are spoken aloud, so answer "',
      'You take reservations for the restaurant Luigi. Your words are spoken aloud, so answer "',
    ],
    ['server/bot.py', '"Greet the person and say in one sentence', '"Greet the guest and say in one sentence'],
    ['README.md', '## Project files', 'It takes reservations for Luigi.\n\n## Project files'],
  ],
  'a tool': [
    [
      'server/bot.py',
      'from pipecat.services.openai.llm import',
      'from pipecat.services.llm_service import FunctionCallParams\nfrom pipecat.services.openai.llm import',
    ],
    [
      'server/bot.py',
      'async def run_bot(',
      'async def get_hours(params: FunctionCallParams, day: str):\n' +
        '    """Return the opening hours of a day."""\n' +
        '    await params.result_callback({"hours": os.environ["OPENING_HOURS"]})\n\n\n' +
        'async def run_bot(',
    ],
    ['server/bot.py', '            # get_hours,\n', '            get_hours,\n'],
    ['server/.env.example', '# Text-to-speech model', '# When we are open\nOPENING_HOURS=\n# Text-to-speech model'],
  ],
  'a processor': [
    [
      'server/bot.py',
      'from pipecat.runner.types import',
      'from pipecat.processors.frame_processor import FrameDirection, FrameProcessor\nfrom pipecat.runner.types import',
    ],
    ['server/bot.py', 'frames import LLMRunFrame', 'frames import Frame, LLMRunFrame, TextFrame'],
    [
      'server/bot.py',
      'async def run_bot(',
      'class Shout(FrameProcessor):\n' +
        '    async def process_frame(self, frame: Frame, direction: FrameDirection):\n' +
        '        await super().process_frame(frame, direction)\n' +
        '        if isinstance(frame, TextFrame):\n' +
        '            frame.text = frame.text.upper()\n' +
        '        await self.push_frame(frame, direction)\n\n\n' +
        'async def run_bot(',
    ],
    [
      'server/bot.py',
      '            llm,  # Writes the reply\n',
      '            llm,  # Writes the reply\n            Shout(),\n',
    ],
    ['README.md', '## Run it', 'It shouts.\n\n## Run it'],
  ],
  'a package, a variable and settings': [
    ['server/pyproject.toml', '    "pipecatcloud>=1.4,<2",\n', '    "httpx>=0.28",\n    "pipecatcloud>=1.4,<2",\n'],
    [
      'server/.env.example',
      '# Voice (default: alloy)\n# OPENAI_VOICE_ID=\n',
      '# Voice (default: alloy)\nOPENAI_VOICE_ID=coral\n\n# The shop\nSHOP_URL=\n',
    ],
    [
      'server/bot.py',
      '            system_instruction=SYSTEM_INSTRUCTION,\n',
      '            system_instruction=SYSTEM_INSTRUCTION,\n            temperature=0.3,\n',
    ],
    ['server/bot.py', 'from loguru import', 'import httpx\nfrom loguru import'],
    ['server/bot.py', 'GREETING = ', 'SHOP = httpx.AsyncClient(base_url=os.environ["SHOP_URL"])\nGREETING = '],
  ],
};

/** A project with edits. Each must find its place. */
export function edit(project: Project, edits: readonly Edit[]): Project {
  const edited = { ...project };
  for (const [path, before, after] of edits) {
    const text = edited[path] ?? '';
    assert(text.includes(before), `${path} has no "${before}"`);
    edited[path] = text.replace(before, () => after);
  }
  return edited;
}
