/** A page of `botcli guide`: its topic, which is the name of its file in `pages`, and what it's about. */
interface Topic {
  name: string;
  summary: string;
}

/** The pages, in the order of the list. */
export const topics: readonly Topic[] = [
  { name: 'calls', summary: 'Transfer a call, send texts, read and press keys, detect voicemail' },
  { name: 'tools', summary: 'Hang up, choices, settings that change during a call' },
  { name: 'languages', summary: 'Voices, models, addresses; two languages in one conversation' },
  { name: 'flows', summary: 'Conversations with steps' },
  { name: 'knowledge', summary: 'Answer from your own facts: files, lookups, MCP servers' },
  { name: 'state', summary: 'Data of each session, and of its caller' },
  { name: 'silence', summary: 'People who say nothing, or are not understood; slow services' },
  { name: 'evals', summary: 'Keeping conversations as evals; simulated people, suites, judges' },
  { name: 'ci', summary: 'Test each push, deploy what passes: GitHub, any other CI' },
  { name: 'cloud', summary: 'Logs, files, scaling and cost of a deployed bot' },
];
