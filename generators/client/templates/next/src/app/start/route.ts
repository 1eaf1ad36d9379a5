import { forwardToBot } from "../../server/forward-to-bot";

export const POST = (request: Request) => forwardToBot(request, "/start");
