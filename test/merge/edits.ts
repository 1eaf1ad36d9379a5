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

const BOT = 'server/bot.py';

/** An edit that puts lines above a text. */
const above = (path: string, text: string, ...lines: string[]): Edit => [path, text, `${lines.join('\n')}\n${text}`];

/** What people do to a project in their first days. */
export const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  'the prompt': [
    [BOT, 'You are a friendly assistant in a voice conversation.', 'You take reservations for the restaurant Luigi.'],
    [BOT, '"Greet the person and say in one sentence', '"Greet the guest and say in one sentence'],
    above('README.md', '## Project files', 'It takes reservations for Luigi.', ''),
  ],
  'a tool': [
    above(BOT, 'from pipecat.services.openai.llm', 'from pipecat.services.llm_service import FunctionCallParams'),
    above(
      BOT,
      'async def run_bot(',
      'async def get_hours(params: FunctionCallParams, day: str):',
      '    """Return the opening hours of a day."""',
      '    await params.result_callback({"hours": os.environ["OPENING_HOURS"]})\n\n',
    ),
    [BOT, '            # get_hours,\n', '            get_hours,\n'],
    above('server/.env.example', '# Text-to-speech model', '# When we are open', 'OPENING_HOURS='),
  ],
  'a processor': [
    above(
      BOT,
      'from pipecat.runner.types import',
      'from pipecat.processors.frame_processor import FrameDirection, FrameProcessor',
    ),
    [BOT, 'frames import LLMRunFrame', 'frames import Frame, LLMRunFrame, TextFrame'],
    above(
      BOT,
      'async def run_bot(',
      'class Shout(FrameProcessor):',
      '    async def process_frame(self, frame: Frame, direction: FrameDirection):',
      '        await super().process_frame(frame, direction)',
      '        if isinstance(frame, TextFrame):',
      '            frame.text = frame.text.upper()',
      '        await self.push_frame(frame, direction)\n\n',
    ),
    [BOT, '  # Writes the reply\n', '  # Writes the reply\n            Shout(),\n'],
    above('README.md', '## Run it', 'It shouts.', ''),
  ],
  'a package, a variable and settings': [
    above('server/pyproject.toml', '    "pipecatcloud>=1.4,<2",', '    "httpx>=0.28",'),
    ['server/.env.example', '# OPENAI_VOICE_ID=\n', 'OPENAI_VOICE_ID=coral\n\n# The shop\nSHOP_URL=\n'],
    [BOT, '=SYSTEM_INSTRUCTION,\n', '=SYSTEM_INSTRUCTION,\n            temperature=0.3,\n'],
    above(BOT, 'from loguru import', 'import httpx'),
    above(BOT, 'GREETING = ', 'SHOP = httpx.AsyncClient(base_url=os.environ["SHOP_URL"])'),
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
