import { forwardToBot } from "../../../server/forward-to-bot";

async function forward(request: Request, { params }: { params: Promise<{ path: string[] }> }) {
  const { path } = await params;
  return forwardToBot(request, `/sessions/${path.map(encodeURIComponent).join("/")}`);
}

export { forward as PATCH, forward as POST };
