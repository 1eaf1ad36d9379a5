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
  /** The part of it that the model wrote. Evals in text don't hear fixed words. Default: all of it. */
  written?: string;
}
