import { get, type IncomingMessage } from 'node:http';

/** How long Ollama may take, in milliseconds. It lists its models at once. */
const PATIENCE = 3000;

/** More bytes than a list of models has. */
const LARGEST_ANSWER = 2 ** 20;

/**
 * Asks Ollama for its models. No proxy gets the request, and no redirect is followed.
 *
 * @param address Any address of it, such as its `OLLAMA_BASE_URL`.
 * @returns Their names, such as `llama3.2:latest`; undefined if it doesn't answer as Ollama does.
 */
export async function ollamaModels(address: URL): Promise<string[] | undefined> {
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const signal = AbortSignal.timeout(PATIENCE);
      get(new URL('/api/tags', address.origin), { agent: false, signal }, resolve).on('error', reject);
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > LARGEST_ANSWER) return undefined;
      chunks.push(chunk);
    }
    const { models } = JSON.parse(Buffer.concat(chunks).toString()) as { models: readonly { name: unknown }[] };
    return models.map(({ name }) => String(name));
  } catch {
    return undefined;
  }
}
