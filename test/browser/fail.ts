import { expect } from '../bots/expect.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { AiPath, Refusal } from '../support/local-ai.ts';
import type { ClientPage } from './client-page.ts';

/** An error of the provider, and the message that the page shows. */
interface Failure {
  path: AiPath;
  refusal: Refusal;
  says: string;
}

/** Where the provider issues keys. */
const PAGE = 'https://platform.openai.com/api-keys';

const RESTART = "If the bot doesn't restart when you save, restart it.";

const FAILURES: readonly Failure[] = [
  {
    path: 'chat/completions',
    refusal: {
      status: 401,
      error: { message: 'Incorrect API key provided: test.', type: 'invalid_request_error', code: 'invalid_api_key' },
    },
    says: `Incorrect API key provided. Check OPENAI_API_KEY in server/.env against ${PAGE}. ${RESTART}`,
  },
  {
    path: 'chat/completions',
    refusal: {
      status: 429,
      error: { message: 'You exceeded your current quota.', type: 'insufficient_quota', code: 'insufficient_quota' },
    },
    says: 'You exceeded your current quota. Add credit to your account with the provider, then call again.',
  },
  {
    path: 'chat/completions',
    refusal: {
      status: 404,
      error: { message: 'The model gpt-9 does not exist.', code: 'model_not_found' },
    },
    says: `The model gpt-9 does not exist. Check the model in server/bot.py. ${RESTART}`,
  },
  {
    path: 'chat/completions',
    refusal: { status: 503, error: { message: 'The engine is overloaded.' } },
    says: "The engine is overloaded. The provider isn't available right now. Try again in a moment.",
  },
  {
    path: 'audio/speech',
    refusal: { status: 400, error: { message: 'Unknown voice: bob.', param: 'voice' } },
    says: `Unknown voice: bob. Check the voice in server/.env. ${RESTART}`,
  },
];

/**
 * The provider refuses the bot's requests. The call goes on, and the page shows each reason and what to do. Until the bot
 * speaks again, it says that it can't answer.
 */
export async function fail(page: ClientPage, bot: RunningBot): Promise<string> {
  await page.call();
  await page.mute(true);
  await page.waitUntilSpoken();
  for (const { path, refusal, says } of FAILURES) {
    bot.ai.fail(path, refusal);
    await page.type('Are you there?');
    const said = await page.problem();
    expect(said === says, `it says: ${said}`);
    await page.waitForStatus('Connected');
    await page.page.locator('.activity').filter({ hasText: "Can't answer" }).waitFor();
    if (refusal === FAILURES[0]?.refusal) {
      await page.page.getByRole('link', { name: PAGE }).waitFor();
      await page.look('refused');
    }
    await page.press('Dismiss');
    bot.ai.fail(path, undefined);
  }
  await page.noteVoice();
  await page.type('Are you there?');
  await page.waitUntilSpoken();
  await page.page.locator('.activity').filter({ hasText: 'Muted' }).waitFor();
  await page.press('Hang up');
  await page.waitForStatus('Not connected');
  await page.expectDevicesOff();
  await page.expectClean();
  return `${FAILURES.length} errors of a provider`;
}
