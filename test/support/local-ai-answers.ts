/** A chat message in the API's format. The content is text, or a list of text and picture parts. */
export interface ChatMessage {
  role: string;
  content?: string | null | { type: string; text?: string; image_url?: { url: string } }[];
}

/** The parts of JSON Schema that structured answers and tool arguments use. */
interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface ChatRequest {
  model: string;
  stream?: boolean;
  stream_options?: { include_usage?: boolean } | null;
  messages: ChatMessage[];
  tools?: { function: { name: string; parameters?: Schema } }[];
  response_format?: { type: string; json_schema?: { schema: Schema } };
}

/** The model's response to a request: text or a tool call. */
export type Answer = { text: string } | { tool: string; arguments: Record<string, string | number | boolean> };

export const GREETING = "Hello! I'm your assistant. It's good to hear from you.";
export const ABILITIES = 'I can help you with questions, reminders and small talk.';
/** What a simulated person asks. */
export const QUESTION = 'What can you help me with?';
export const SIGHT = 'I can see you in the picture.';

/** Answers a request. The answer depends only on the request, so conversations are reproducible word for word. */
export function answerChat(request: ChatRequest): Answer {
  const last = request.messages.at(-1);
  const said = last ? textOf(last) : '';
  if (request.messages.some(isPersona)) return answerAsPerson(said);
  const schema = request.response_format?.json_schema?.schema;
  if (schema) return { text: JSON.stringify(answerQuestions(schema, said)) };
  if (last && pictureOf(last)) return { text: SIGHT };
  if (last?.role === 'tool') return { text: `The answer is ${said}.` };
  if (last?.role !== 'user' || /\b(introduc|greet)/i.test(said)) return { text: GREETING };
  const tool = request.tools?.find(({ function: { name } }) => said.toLowerCase().includes(name.replaceAll('_', ' ')));
  if (tool) {
    const { name, parameters } = tool.function;
    // Each required argument is what the person said.
    return { tool: name, arguments: Object.fromEntries((parameters?.required ?? []).map(key => [key, said])) };
  }
  if (/what (can|do) you (help|do)/i.test(said)) return { text: ABILITIES };
  return { text: `You said: ${said}` };
}

/** The instruction of the model that plays the person in a simulation. */
export const isPersona = (message: ChatMessage): boolean => /You are playing a person/.test(textOf(message));

/** What a simulated person says: they ask the bot what it can do, and hang up once it has told them. */
function answerAsPerson(heard: string): Answer {
  if (!heard.includes(ABILITIES)) return { text: QUESTION };
  return { tool: 'end_call', arguments: { success: true, reason: 'The assistant told me what it can do.' } };
}

export function pictureOf({ content }: ChatMessage): string | undefined {
  if (typeof content === 'string') return undefined;
  return content?.find(part => part.image_url)?.image_url?.url;
}

export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(part => part.text ?? '').join(' ');
}

/** What the judge evaluates: the bot's latest reply or call, or the whole conversation. */
interface JudgedState {
  latest_bot_reply?: string;
  call?: unknown;
  conversation?: { speaker: string; text: string }[];
}

/**
 * Answers the framework's judge. Its request has the state as JSON under `Input:`, then a paragraph `Question "NAME":`
 * for each question. The schema defines the shape of each answer.
 */
function answerQuestions(schema: Schema, request: string): Record<string, unknown> {
  const input = /^Input:\n(?<state>.*?)\n\nQuestion "/s.exec(request)?.groups?.state;
  const state: JudgedState = input ? JSON.parse(input) : {};
  const answers = Object.entries(schema.properties ?? {}).map(([name, answer]) => {
    const question = request.split('\n\n').find(part => part.startsWith(`Question "${name}"`)) ?? '';
    return [name, shapeVerdict(answer, meetsCriterion(question, state))];
  });
  return Object.fromEntries(answers);
}

/** The criteria that the stand-in can check, each with a pattern for replies. Any other criterion needs only a word. */
const CHECKS: readonly [criterion: RegExp, reply: RegExp][] = [
  [/greet|introduc/i, /\b(hello|hi|welcome|I'm|I am)\b/i],
  [/what (it|the bot) can (do|help)|offer(s|ing)? to help|capabilit/i, /\b(help|can|assist)\b/i],
];

function meetsCriterion(question: string, state: JudgedState): boolean {
  const criterion = /(Criterion|Goal): (?<text>.*)/.exec(question)?.groups?.text ?? '';
  const check = CHECKS.find(([pattern]) => pattern.test(criterion))?.[1] ?? /\w/;
  const { latest_bot_reply, call, conversation = [] } = state;
  const spoken = conversation.filter(({ speaker }) => speaker === 'bot').map(({ text }) => text);
  return check.test(call ? JSON.stringify(call) : (latest_bot_reply ?? spoken.join(' ')));
}

/** A verdict in the requested shape: a choice with probabilities, a yes-or-no probability, or a reason. */
function shapeVerdict(shape: Schema, met: boolean): unknown {
  if (shape.type === 'string') return 'The reply says so.';
  if (shape.properties?.probability) return { probability: met ? 0.97 : 0.03 };
  const options = Object.keys(shape.properties?.probabilities?.properties ?? {});
  const choice = options.find(option => (met ? ['yes', 'meets'] : ['no', 'fails']).includes(option));
  const inner = Object.entries(shape.properties ?? {});
  if (!choice) return Object.fromEntries(inner.map(([name, one]) => [name, shapeVerdict(one, true)]));
  const rest = 0.03 / (options.length - 1);
  const probabilities = Object.fromEntries(options.map(option => [option, option === choice ? 0.97 : rest]));
  return { choice, probabilities };
}
