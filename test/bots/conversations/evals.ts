import { expect, expectChat } from '../expect.ts';
import { run } from '../processes.ts';
import type { RunningBot } from '../running-bot.ts';
import { cleanEnvironment, ensureUv, listVariables } from '../workshop.ts';

/** The project's own text scenarios pass, told to run the way its README says. */
export async function passEvals({ server, url, ai }: RunningBot): Promise<string> {
  const { all } = await listVariables(server);
  const address = `${url.replace('http', 'ws')}/ws`;
  const evals = ['eval', 'run', 'evals/starter_text.yaml', '-v', '--bot-url', address];
  const env = cleanEnvironment(all, { OPENAI_BASE_URL: ai.url });
  const { code, stdout, stderr } = await run([await ensureUv(), 'run', 'pipecat', ...evals], { cwd: server, env });
  expect(code === 0, `exit code ${code}`, stdout + stderr);
  expectChat(ai, 'What can you help me with?');
  const verdicts = ai.journal.filter(({ path, stream }) => path.endsWith('/chat/completions') && !stream);
  return `${stdout.match(/\d+\/\d+ passed/)?.[0]}, ${verdicts.length} replies judged`;
}
