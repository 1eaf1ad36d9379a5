import assert from 'node:assert/strict';
import type { Chunk } from '../../src/merge/lines.ts';
import { joinStatements, refuseMoved } from '../../src/merge/python/index.ts';
import { keepDocstrings } from '../../src/merge/python/looks.ts';
import { chunk, same } from './chunks.ts';

const conflict = (text: string, more?: Partial<Chunk>): Chunk =>
  chunk('conflict', text, text.replace('mine', 'a'), text.replace('mine', 'b'), more);

describe('conflicts of a statement', () => {
  const join = (...chunks: Chunk[]) =>
    joinStatements(
      chunks,
      chunks.flatMap(({ user }) => user),
    );

  it('are one', () => {
    const joined = join(
      same('x/run('),
      conflict('    mine,', { reason: 'One.' }),
      same('    c,'),
      conflict('    mine,', { reason: 'Two.' }),
      same(')'),
    );
    assert.deepEqual(joined, [
      same('x/run('),
      chunk('conflict', '    mine,/    c,/    mine,', '    a,/    c,/    a,', '    b,/    c,/    b,', {
        reason: 'One.',
        follows: false,
      }),
      same(')'),
    ]);
  });

  for (const between of ['    c)/run(', '    c)/x/run(', '    c)']) {
    it(`are apart in two statements: ${between}`, () => {
      const chunks = [same('run('), conflict('    mine,'), same(between), conflict('    mine)')];
      assert.deepEqual(join(...chunks), chunks);
    });
  }

  it('are two if another is between them', () => {
    const chunks = [conflict('mine'), same('run('), conflict('    mine,'), same(')')];
    assert.deepEqual(join(...chunks), chunks);
  });

  it('have the reason that is not about the other', () => {
    const [joined] = join(
      conflict('run(mine,', { reason: 'It goes with the other.', follows: true }),
      same('    c,'),
      conflict('    mine)', { reason: 'It is wrong.' }),
    );
    assert.deepEqual([joined?.reason, joined?.follows], ['It is wrong.', false]);
  });
});

describe('a conflict about docstrings', () => {
  const keep = (...chunks: Chunk[]) =>
    keepDocstrings(chunks, {
      user: chunks.flatMap(({ user }) => user),
      base: [],
      botcli: chunks.flatMap(({ botcli }) => botcli),
    }).map(({ source }) => source);

  for (const head of ['def f():', 'async def f():', 'class F:']) {
    it(`has the user's words below "${head}"`, () => {
      assert.deepEqual(
        keep(same(`x/${head}`), chunk('conflict', '    """A/    b."""/    ', '', '    """C."""'), same('    pass')),
        ['nobody', 'user', 'nobody'],
      );
    });
  }

  it("has the user's words at the top, also after a change of botcli's", () => {
    assert.deepEqual(keep(chunk('botcli', '', '', '# New/# New'), chunk('conflict', '"""A."""', '', '"""C."""')), [
      'botcli',
      'user',
    ]);
  });

  for (const [about, head, mine, ours] of [
    ['text below another header', 'if a:', '    """A."""', '    """C."""'],
    ['text below a statement', 'a', '"""A."""', '"""C."""'],
    ['text with a method', 'def f():', '    """A.""".format()', '    """C.""".format()'],
    ['value', 'def f():', '    1', '    2'],
    ["line of the user's", 'def f():', '    """A."""/    a', '    """C."""'],
    ["line of botcli's", 'def f():', '    """A."""', '    """C."""/    a'],
  ] as const) {
    it(`stays if it is about a ${about}`, () => {
      assert.deepEqual(keep(same(head), chunk('conflict', mine, '', ours), same('x')), [
        'nobody',
        'conflict',
        'nobody',
      ]);
    });
  }
});

describe("lines of the user's that botcli removes elsewhere", () => {
  const gone = chunk('both', '', 'go(a)', '');

  it('are a conflict, at whatever depth', () => {
    const moved = chunk('user', '    go(a)', '', '');
    const reason = "You moved these lines, and botcli's change removes them.";
    assert.deepEqual(refuseMoved([gone, same('x'), moved]), [
      gone,
      same('x'),
      { ...moved, source: 'conflict', reason },
    ]);
  });

  for (const [about, ...chunks] of [
    ['botcli has them elsewhere', gone, chunk('user', 'go(a)', '', ''), chunk('botcli', '', '', '    go(a)')],
    ['they are a word', chunk('both', '', 'go', ''), chunk('user', 'go', '', '')],
    ['both have them', gone, chunk('both', 'go(a)', '', 'x')],
    ['only botcli removed them', chunk('botcli', 'go(a)', 'go(a)', ''), chunk('user', 'go(a)', '', '')],
  ] as [string, ...Chunk[]][]) {
    it(`stay if ${about}`, () => assert.deepEqual(refuseMoved(chunks), chunks));
  }
});
