/** A call of one of the bot's tools. */
export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
  result: unknown;
  seconds: number;
}

/** What a person said, and what the bot did about it. */
export interface Turn {
  said: string;
  calls: readonly ToolCall[];
  answer: string;
}
