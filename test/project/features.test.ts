import assert from 'node:assert/strict';
import type { RawConfig } from '../../src/config/options.ts';
import { botFactsOf } from '../../src/project/bot/facts.ts';
import { LOCAL, PHONE, REALTIME, resolveFlags } from '../support/resolving.ts';

const BARE: RawConfig = { deploy_to_cloud: false };
/** The imports of `bot.py`, without the line breaks in long ones. */
const importsIn = (given: RawConfig): string[] =>
  botFactsOf(resolveFlags({ ...BARE, ...given }))
    .imports.replace(/\(\n([^)]*),\n\)/g, (_, names: string) => names.trim().replace(/,\s+/g, ', '))
    .split('\n')
    .filter(Boolean);

const UNIVERSAL = 'from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair';

const LOCAL_IMPORTS = importsIn(LOCAL);

const imports: [about: string, given: RawConfig, ...lines: string[]][] = [
  [
    'records and logs',
    { ...LOCAL, recording: true, transcription: true },
    `${UNIVERSAL.replace(' LLM', ' AssistantTurnStoppedMessage, LLM')}, LLMUserAggregatorParams, UserTurnMessageAddedMessage`,
    'from recording import Recorder',
  ],
  [
    'is observed, hears without noise, and has evals',
    { ...LOCAL, deploy_to_cloud: true, enable_noisecancel: true, enable_observability: true, enable_eval: true },
    'import socket',
    'from functools import cache',
    'from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter',
    'from pipecat.audio.filters.base_audio_filter import BaseAudioFilter',
    'from pipecat.evals.transport import EvalTransportParams',
    'from pipecat.utils.tracing.setup import setup_tracing',
    'from pipecat_whisker import WhiskerServer',
  ],
  [
    'takes calls over SIP',
    { ...PHONE, transports: ['tel_a_rtc_sip_dialin'] },
    'from pipecat.transports.base_transport import BaseTransport',
    'from pipecat.transports.daily.transport import DailyParams, DailyTransport',
    'from twilio.base.exceptions import TwilioException',
    'from twilio.rest import Client',
    'from twilio.twiml.voice_response import Dial, VoiceResponse',
    'from env import load_env, missing_env, optional_env, transport_env',
    'from guard import CallGuard',
  ],
  [
    'sees all the time, and shows a picture',
    { ...REALTIME, realtime_service: 'gemini_live_realtime', video_input: true, video_output: true },
    'from pipecat.frames.frames import Frame, InputImageRawFrame, LLMRunFrame',
    'from pipecat.processors.filters.function_filter import FunctionFilter',
    'from pipecat.services.google.gemini_live.llm import GeminiLiveLLMService',
    'from pipecat.transports.base_transport import BaseTransport, TransportParams, VideoInSourceParams',
    'from guard import SessionGuard',
    'from picture import Picture',
    'from typed_text import TypedText',
  ],
];

describe('bot.py imports what it needs if it', () => {
  for (const [about, given, ...lines] of imports) {
    it(about, () =>
      assert.deepEqual(
        importsIn(given).filter(line => !LOCAL_IMPORTS.includes(line)),
        lines,
      ),
    );
  }

  for (const [about, given, ...lines] of [
    ['greets browsers', {}, 'import asyncio', 'import os', 'import sys', 'from contextlib import suppress'],
    [
      'checks where it runs',
      { transports: ['tel_d'], enable_noisecancel: true, deploy_to_cloud: true },
      'import os',
      'import sys',
    ],
    [
      'takes calls over SIP, without a filter of speech',
      { transports: ['tel_a_rtc_sip_dialin'] },
      ...['import asyncio', 'import os', 'import sys', 'from contextlib import suppress'],
    ],
    [
      'loads what detects speech',
      { transports: ['tel_d'], realtime_service: 'gemini_live_realtime' },
      ...['import asyncio', 'import os', 'import sys'],
    ],
    [
      'serves a debugger on a phone',
      { transports: ['tel_d'], enable_observability: true },
      ...['import os', 'import socket', 'import sys', 'from contextlib import suppress', 'from functools import cache'],
    ],
  ] satisfies typeof imports) {
    it(`${about}, of the standard library`, () => {
      const all = importsIn({ ...REALTIME, ...given });
      assert.deepEqual(all.slice(0, all.indexOf('from loguru import logger')), lines);
    });
  }
});
