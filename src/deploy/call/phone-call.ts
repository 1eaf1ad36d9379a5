import { UserError } from '../../errors.ts';
import type { Connection } from '../../platform/connection.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { createEar, silenceIn } from './ear.ts';
import { phoneStreams } from './streams.ts';

/** Sound is sent as providers do: a piece every 20 ms. */
const PIECE_MS = 20;
/** How long to wait for the bot to speak. Its first instance may have to start. In milliseconds. */
const PATIENCE_MS = 45_000;

/**
 * Calls a bot as a phone provider does, and listens until it speaks. Returns after how many seconds that was.
 *
 * @param url The gateway's address for the provider.
 * @throws {UserError} `call-failed`: it stays silent, or hangs up before.
 */
export async function phoneCall(
  { url, provider, serviceHost }: { url: URL; provider: string; serviceHost: string },
  connection: Connection,
  { sleep, progress }: Pick<Terminal, 'sleep' | 'progress'>,
  signal: AbortSignal,
): Promise<number> {
  const stream = phoneStreams[provider]?.(serviceHost);
  if (!stream) throw new TypeError(`no phone provider: ${provider}`);
  for (const [name, value] of Object.entries(stream.query)) url.searchParams.set(name, value);
  const hear = createEar(stream.codec);
  let spokeAt: number | undefined;
  const line = await connection.call(url, message => {
    const sound = stream.soundIn(message);
    if (sound !== undefined && hear(Buffer.from(sound, 'base64'))) spokeAt ??= Date.now();
  });
  const start = Date.now();
  let hungUpAt: number | undefined;
  void line.ended.then(() => {
    hungUpAt = Date.now();
  });
  const quiet = silenceIn(stream.codec).toString('base64');
  let sent = 0;
  let end: number | undefined;
  try {
    for (const message of stream.greeting) line.send(message);
    while (spokeAt === undefined && hungUpAt === undefined && sent * PIECE_MS < PATIENCE_MS) {
      sent += 1;
      line.send(stream.media(sent, quiet));
      if (sent % 50 === 0) progress.show(`Listening, ${(sent * PIECE_MS) / 1000}s`);
      await sleep(PIECE_MS, signal);
    }
    end = hungUpAt;
  } finally {
    progress.clear();
    line.send(stream.stop(sent));
    await line.close();
  }
  if (spokeAt !== undefined) return Math.max(0, spokeAt - start) / 1000;
  const why =
    end !== undefined
      ? `hung up after ${((end - start) / 1000).toFixed(1)} s, without a word`
      : `said nothing for ${PATIENCE_MS / 1000} s`;
  throw new UserError(`The bot took the call and ${why}`, { reason: 'call-failed' });
}
