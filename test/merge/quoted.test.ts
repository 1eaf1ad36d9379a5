import assert from 'node:assert/strict';
import { type Module, readPython } from '../../src/formats/python/module.ts';
import { addQuoted } from '../../src/merge/python/draft.ts';
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
  ['frames: dict = {"Frame": 1}\n', false],
  ['def mine(a: Literal["Frame"]):\n    pass\n', false],
  ['def mine(a: str = "Frame"):\n    pass\n', false],
  ['def mine(a: "lib.Frame"):\n    pass\n', false],
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

/** A statement, and the names that it uses only in quotes. */
const quoted: [statement: string, ...names: string[]][] = [
  ['def f(a: "A", b: list["B"], c: dict[int, "C"]) -> "D | None": pass', 'A', 'B', 'C', 'D', 'None'],
  ['async def f(a: int | "A"): pass', 'A'],
  ['def f(a: Literal["["], b: dict[Literal["]"], "B"]): pass', 'B'],
  ['def f(a: Literal["A"], b: "B"): pass', 'B'],
  ['def f(a: Annotated["A", "B"]): pass'],
  ['def f(a, b=g(1, "A"), c="C"): pass'],
  ['def f(a=cast("A", "B")): pass', 'A'],
  ['a: "A" = "B"', 'A'],
  ['self.a: "list[A]"', 'A', 'list'],
  ['a["A"]: "B"'],
  ['a = lambda: "A"'],
  ['"A"'],
  ['b, a = "A", "B"'],
  ['def f(a: "A-B", b: "~C", c: "D of E", d: "x.F"): pass', 'x'],
  ['a: "list[Gespräch | Frame]"', 'Frame', 'Gespräch', 'list'],
  ['__all__ = ["à la carte"]'],
  ['a = ForwardRef("A")', 'A'],
  ['a = cast("A", "B")', 'A'],
  ['a = cast["A"]'],
  ['a = print("A")'],
  ['__all__ = ["a", "b", "c d"]', 'a', 'b'],
];

describe('names in quotes that Python or a type checker reads', () => {
  const usesOf = (statement: string, read: (module: Module) => Module) =>
    read(readPython(statement)).scopes.flatMap(({ uses }) => [...uses.keys()]);
  for (const [statement, ...names] of quoted) {
    it(`${statement}: ${names.join(', ') || 'none'}`, () => {
      const others = usesOf(statement, module => module);
      const found = usesOf(statement, addQuoted).filter(name => !others.includes(name));
      assert.deepEqual(found.sort(), names);
    });
  }
});
