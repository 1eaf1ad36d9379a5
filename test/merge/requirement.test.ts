import assert from 'node:assert/strict';
import { parse } from 'smol-toml';
import { mergeTexts } from './merging.ts';

/** The merge of requirements for one package, or `conflict`. */
function merge(...versions: [user: string, base: string, botcli: string]): string {
  const [user = '', base = '', botcli = ''] = versions.map(one => `[project]\ndependencies = ['${one}']\n`);
  const { text, conflicts } = mergeTexts('pyproject.toml', user, base, botcli);
  return conflicts.length > 0
    ? 'conflict'
    : (parse(text) as { project: { dependencies: string[] } }).project.dependencies.join();
}

const cases: [about: string, user: string, base: string, botcli: string, merged: string][] = [
  ['the user has written what it became, with spaces', 'a >= 2', 'a>=1', 'a>=2', 'a>= 2'],
  ['ours changed, and the user has written it with spaces', 'a >= 1, < 2', 'a>=1,<2', 'a>=2,<3', 'a>=2,<3'],
  ['an extra of both comes once', 'a[x]', 'a', 'a[x,y]', 'a[x,y]'],
  ['an extra of ours that the user removed stays away', 'a[y]', 'a[x,y]', 'a[x,y,z]', 'a[y,z]'],
  ['extras in order stay in order', 'a[b,d,m]', 'a[b,d]', 'a[b,d,c]', 'a[b,c,d,m]'],
  ['extras without an order keep theirs', 'a[d,b]', 'a[b,d]', 'a[b,c,d]', 'a[d,b,c]'],
  ['both changed the marker', 'a; x=="1"', 'a', 'a; x=="2"', 'conflict'],
];

/** Whether the user's version, in place of `>=1`, is one of botcli's new ones. */
const versions: [user: string, botcli: string, stays: boolean][] = [
  ['==1.5', '>=1.5', true],
  ['===1.5', '>=1.5', true],
  ['>=1.5', '>=1.5,<2', true],
  ['>=1.5', '>1.5', false],
  ['>=1.5', '>=1.6', false],
  ['>=1.5', '<=1.5', true],
  ['>=1.5', '<1.5', false],
  ['>=1.6', '<=1.5', false],
  ['>=1.5', '==1.5', true],
  ['==1.5', '===1.5', true],
  ['>=1.5', '==1.6', false],
  ['>=1.5', '!=1.6', false],
  ['>=1.5', '~=1.5', true],
  ['>=1.6', '~=1.5', true],
  ['>=1.4', '~=1.5', false],
  ['>=2.0', '~=1.5', false],
  ['>=1.5.0', '>=1.5', true],
  ['>=1.5', '>=1.5.1', false],
  ['>=1.5.1', '<=1.5', false],
  ['>=1.10', '>=1.9', true],
  ['<3,>=1.5', '>=1.4', true],
  ['<3', '>=2', false],
  ['>=1.5,!=1.6rc1', '>=1.4', false],
  ['>=1.5', '>=1.5rc1', false],
];

describe('merging a requirement', () => {
  for (const [about, user, base, botcli, merged] of cases) {
    it(`when ${about}`, () => assert.equal(merge(user, base, botcli), merged));
  }
  for (const [user, botcli, stays] of versions) {
    const result = stays ? `a${user}` : 'conflict';
    it(`of a${user} with a${botcli}: ${result}`, () => assert.equal(merge(`a${user}`, 'a>=1', `a${botcli}`), result));
  }
});
