import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

const file = (
  own: string,
  imports = 'from typing import cast\n\nfrom frames import Frame, Other\n',
  body = 'Frame()',
) => `${imports}\n\ndef run():\n    ${body}\n    print(cast(Other, 1))\n${own}`;
const BASE = file('');
const OURS = file('', 'from typing import cast\n\nfrom frames import Other\n', 'pass');

/** The user's code, and whether it uses what botcli would no longer import. */
const cases: [own: string, isUse: boolean][] = [
  ['def mine(frame: "Frame"):\n    pass\n', true],
  ['def mine() -> "list[Frame]":\n    pass\n', true],
  ['def mine(a: dict[str, "Frame"]):\n    pass\n', true],
  ['async def mine(a: "Frame | None" = None):\n    pass\n', true],
  ['class Mine:\n    frame: "Frame"\n', true],
  ['frame: list["Frame"] = []\n', true],
  ['frame = cast("Frame", None)\n', true],
  ['__all__ = ["run", "Frame"]\n', true],
  ['__all__ += [\n    "Frame",\n]\n', true],
  ['frame = "Frame"\n', false],
  ['def mine(a: "lib.Frame"):\n    pass\n', false],
  ['def mine(a: "Gespräch | Frame"):\n    pass\n', true],
  ['def mine(a: "D of Frame", b: "Frame-1", c: "~Frame"):\n    pass\n', false],
  ['mine = lambda: "Frame"\n', false],
  ['mine.a: "list[Frame]"\n', true],
  ['mine["Frame"]: "B"\n', false],
  ['mine = ForwardRef("Frame")\n', true],
  ['print("Frame")\n', false],
];

describe('merging a file with a name in quotes', () => {
  for (const [own, isUse] of cases) {
    it(`${own.trim().replaceAll(/\s+/g, ' ')}: its import ${isUse ? 'stays' : 'goes'}`, () => {
      const mine = `\n\n${own}`;
      const { text, conflicts } = mergeTexts('bot.py', BASE + mine, BASE, OURS);
      assert.deepEqual([conflicts, text], [[], isUse ? OURS.replace('Other', 'Frame, Other') + mine : OURS + mine]);
    });
  }

  it('whose class goes: a conflict', () => {
    const old = '\n\nclass Frame:\n    pass\n';
    const [base, ours] = [`x = 1\n${old}`, 'x = 1\n'];
    const { conflicts } = mergeTexts('bot.py', `${base}\n\ndef mine(a: "Frame"):\n    pass\n`, base, ours);
    assert.match(conflicts.map(({ reason }) => reason).join(' '), /Your lines use "Frame"/);
  });
});
