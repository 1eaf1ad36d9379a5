/**
 * Forwards a request to the bot. This runs only on the server: the browser never sees the bot's
 * address or key.
 */
export async function forwardToBot(request: Request, path: string): Promise<Response> {
  const { BOT_URL = "http://localhost:7860", BOT_API_KEY } = process.env;
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (BOT_API_KEY) headers.Authorization = `Bearer ${BOT_API_KEY}`;
  try {
    const { method } = request;
    const answer = await fetch(BOT_URL + path, { method, headers, body: await request.text() });
    const type = answer.headers.get("Content-Type") ?? "application/json";
    return new Response(answer.body, { status: answer.status, headers: { "Content-Type": type } });
  } catch {
    return new Response(null, { status: 502 });
  }
}
