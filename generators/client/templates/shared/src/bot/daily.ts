import type { BotTransport, OpenTransport } from "./bot-transport";

/** Through a room on Daily's servers, which the bot's server creates. */
export const daily: BotTransport = {
  label: "Daily",

  startRequest: {
    transport: "daily",
    createDailyRoom: true,
    dailyRoomProperties: { start_video_off: true },
    body: {},
  },

  async open(): Promise<OpenTransport> {
    const { DailyTransport } = await import("@pipecat-ai/daily-transport");
    return { transport: new DailyTransport(), release() {}, close() {} };
  },

  connectParams: ({ dailyRoom, dailyToken }) => ({ url: dailyRoom, token: dailyToken }),
};
