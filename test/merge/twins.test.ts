import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

const BASE = `import os


async def run_bot(transport):
    """Run one conversation."""
    context = LLMContext(
        tools=[
            # The functions that the model can call.
        ],
    )
    llm = Alpha(
        key=os.environ["A_KEY"],
    )
    worker = Worker(
        [
            llm,
            context,
        ]
    )
    await worker.run()
`;

const RUN = BASE.slice(BASE.indexOf('async def'));
const LLM = BASE.slice(BASE.indexOf('    llm'), BASE.indexOf('    worker'));

type Edit = (text: string) => string;
const swap =
  (from: string, to: string): Edit =>
  text =>
    text.replace(from, () => to);

const toBeta = swap('Alpha(', 'Beta(');
const COMMENT = '            # The functions that the model can call.\n';

/** What the user has made of the file, what botcli has, and whether the change of botcli's is where it belongs. */
const cases: [about: string, user: Edit, botcli: Edit, isRight: ((text: string) => boolean) | undefined][] = [
  [
    'an old copy of the function above: the right one changes',
    text => text.replace(RUN, () => `${RUN.replace('run_bot', 'old_run_bot')}\n\n${RUN.replace(COMMENT, '')}`),
    toBeta,
    text => text.indexOf('Alpha(') > 0 && text.indexOf('Alpha(') < text.indexOf('Beta('),
  ],
  [
    'the old code in a text',
    text => text.replace(LLM, () => `    """ old:\n${LLM}    """\n${LLM.replace('key=', 'mine=1,\n        key=')}`),
    toBeta,
    undefined,
  ],
  [
    'the same code in two branches',
    text => {
      const deeper = LLM.replaceAll(/^/gm, '    ').trimEnd();
      return text.replace(LLM, () => `    if TEST:\n${deeper}\n    else:\n${deeper.replace('A_KEY', 'MY_KEY')}\n`);
    },
    toBeta,
    undefined,
  ],
  [
    'the code moved to a function of its own: it changes there',
    text =>
      text
        .replace(LLM, () => '    llm = build()\n')
        .replace('async def', () => `def build():\n${LLM.replace('llm =', 'return')}\n\nasync def`),
    text => text,
    text => text.includes('return Alpha('),
  ],
];

describe('merging Python when the user has', () => {
  for (const [about, user, botcli, isRight] of cases) {
    it(about, () => {
      const { text, conflicts } = mergeTexts('bot.py', user(BASE), BASE, botcli(BASE));
      if (isRight) assert.deepEqual([conflicts, isRight(text)], [[], true], text);
      else
        assert.match(conflicts.map(({ reason }) => reason).join(' '), /several places|same lines|gave these settings/);
    });
  }
});
