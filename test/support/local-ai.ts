import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, answerChat, type ChatMessage, type ChatRequest } from './local-ai-answers.ts';
import { measureWav, type Sound, speakText } from './sound.ts';

/** One request, as recorded for the tests. The key itself is never recorded. */
interface Journaled {
  path: string;
  authorized: boolean;
  stream?: boolean;
  messages?: ChatMessage[];
  /** Chat: the answer. Speech: the spoken text. Transcription: the transcript. */
  text?: string;
  language?: string;
  instructions?: string;
  sound?: Sound;
}

export interface Refusal {
  status: number;
  error: { message: string; type?: string; param?: string | null; code?: string | null };
}

export interface LocalAi {
  /** The value for `OPENAI_BASE_URL`. */
  url: string;
  journal: Journaled[];
  /** Sets the next transcripts, in order. After them, the default is back. */
  say(...transcripts: string[]): void;
  /** Makes all sound have no words, like noise, or ends that. */
  hearNothing(isNoise: boolean): void;
  /** Makes a path fail from now on, the given number of times, or until it's mended with `undefined`. */
  fail(path: AiPath, failure: Failure | undefined, times?: number): void;
  /** Forgets its journal, the transcripts to come, and all failures. */
  renew(): void;
  close(): Promise<void>;
}

export type AiPath = 'chat/completions' | 'audio/speech' | 'audio/transcriptions';

/** How a request fails: with an error, without any response, with a closed connection, or by taking some seconds. */
export type Failure = Refusal | 'hangs' | 'drops' | { seconds: number };

export const DEFAULT_TRANSCRIPT = 'What can you help me with?';

/** Anything quieter is silence, and its transcript is empty. */
const SILENCE_RMS = 50;
const AUDIO_CHUNK_BYTES = 9600;

/**
 * Starts a server on loopback that implements the parts of OpenAI's API that the framework's openai services use. It
 * replaces only the models: its responses go through the bot's real pipeline.
 */
export async function startLocalAi(answer = answerChat): Promise<LocalAi> {
  const journal: Journaled[] = [];
  const transcripts: string[] = [];
  let isNoise = false;
  const failures = new Map<string, { failure: Failure; times: number }>();
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const entry: Journaled = { path, authorized: Boolean(request.headers.authorization) };
    journal.push(entry);
    const broken = failures.get(path);
    if (broken && broken.times-- > 0) {
      const { failure } = broken;
      if (failure === 'drops') return void request.socket.destroy();
      // A request that hangs keeps its connection open.
      if (failure === 'hangs') return;
      if ('status' in failure) return sendJson(response, { error: failure.error }, failure.status);
      await sleep(failure.seconds * 1000);
    }
    if (!entry.authorized) return sendError(response, 401, 'no API key');
    try {
      const sent = await buffer(request);
      const type = request.headers['content-type'] ?? '';
      switch (`${request.method} ${path}`) {
        case 'GET /v1/models':
          return sendJson(response, { object: 'list', data: [{ id: 'local' }] });
        case 'POST /v1/chat/completions':
          return chat(JSON.parse(sent.toString()), response, entry, answer);
        case 'POST /v1/audio/speech':
          return speak(JSON.parse(sent.toString()), response, entry);
        case 'POST /v1/audio/transcriptions':
          return await transcribe(new Response(sent, { headers: { 'content-type': type } }), response, entry, () =>
            isNoise ? '' : (transcripts.shift() ?? DEFAULT_TRANSCRIPT),
          );
        default:
          return sendError(response, 404, `no such path: ${path}`);
      }
    } catch (error) {
      sendError(response, 400, String(error));
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    journal,
    say: (...more) => void transcripts.push(...more),
    hearNothing: noise => {
      isNoise = noise;
    },
    fail: (path, failure, times = Infinity) => {
      if (failure) failures.set(`/v1/${path}`, { failure, times });
      else failures.delete(`/v1/${path}`);
    },
    renew: () => {
      for (const list of [journal, transcripts]) list.length = 0;
      failures.clear();
    },
    close: () => {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}

function chat(body: ChatRequest, response: ServerResponse, entry: Journaled, answerTo: typeof answerChat) {
  const answer = answerTo(body);
  const text = 'text' in answer ? answer.text : `${answer.tool}()`;
  Object.assign(entry, { stream: body.stream ?? false, messages: body.messages, text });
  if (body.stream) return streamChat(response, body, answer);
  const choice = { index: 0, message: { role: 'assistant', ...answerFields(answer) }, finish_reason: finish(answer) };
  sendJson(response, { ...completion(body), object: 'chat.completion', choices: [choice], usage: usage(body, text) });
}

/** Streams an answer word by word and then, if requested, the usage, as the real service does. */
function streamChat(response: ServerResponse, body: ChatRequest, answer: Answer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (fields: object) => {
    const chunk = { ...completion(body), object: 'chat.completion.chunk', ...fields };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const delta = (fields: object, reason: string | null = null) =>
    send({ choices: [{ index: 0, delta: fields, finish_reason: reason }] });
  delta({ role: 'assistant', content: '' });
  if ('tool' in answer) delta(answerFields(answer));
  else for (const word of answer.text.match(/\s*\S+/g) ?? []) delta({ content: word });
  delta({}, finish(answer));
  const text = 'text' in answer ? answer.text : '';
  if (body.stream_options?.include_usage) send({ choices: [], usage: usage(body, text) });
  response.end('data: [DONE]\n\n');
}

function answerFields(answer: Answer): object {
  if ('text' in answer) return { content: answer.text };
  const asked = { name: answer.tool, arguments: JSON.stringify(answer.arguments) };
  const call = { index: 0, id: 'call_1', type: 'function', function: asked };
  return { content: null, tool_calls: [call] };
}

const finish = (answer: Answer): string => ('tool' in answer ? 'tool_calls' : 'stop');

const completion = ({ model }: ChatRequest): object => ({ id: 'chatcmpl-local', created: 0, model });

function usage({ messages }: ChatRequest, text: string): object {
  const count = (part: string) => Math.ceil(part.length / 4);
  const [asked, answered] = [count(JSON.stringify(messages)), count(text)];
  return { prompt_tokens: asked, completion_tokens: answered, total_tokens: asked + answered };
}

interface SpeechRequest {
  input: string;
  instructions?: string;
  response_format?: string;
}

function speak(body: SpeechRequest, response: ServerResponse, entry: Journaled) {
  const { input, instructions, response_format } = body;
  Object.assign(entry, { text: input, instructions });
  if (response_format !== 'pcm') return sendError(response, 400, 'only pcm is spoken here');
  response.writeHead(200, { 'content-type': 'audio/pcm' });
  const pcm = speakText(input);
  for (let at = 0; at < pcm.length; at += AUDIO_CHUNK_BYTES) response.write(pcm.subarray(at, at + AUDIO_CHUNK_BYTES));
  response.end();
}

async function transcribe(sent: Response, response: ServerResponse, entry: Journaled, next: () => string) {
  const form = await sent.formData();
  const file = form.get('file');
  if (!(file instanceof Blob)) return sendError(response, 400, 'no file');
  const sound = measureWav(Buffer.from(await file.arrayBuffer()));
  const text = sound.rms < SILENCE_RMS ? '' : next();
  Object.assign(entry, { language: form.get('language') ?? undefined, sound, text });
  sendJson(response, { text });
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, { error: { message, type: 'invalid_request_error' } }, status);
}
