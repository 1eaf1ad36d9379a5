import assert from 'node:assert/strict';
import { mergeIgnored } from '../../src/project/gitignore.ts';

const OURS = '# Keys\n.env\n.env.*\n!.env.example\n\n# Python\n__pycache__/\n';
const ADDED = '# Added for the voice bot';

const cases: [about: string, existing: string | undefined, merged: string][] = [
  ['none', undefined, OURS],
  ['an empty one', '', OURS],
  ['a blank one', '\n \n', OURS],
  ['ours', OURS, OURS],
  [
    'one of the user: it stays, and what is missing comes below',
    'node_modules/\n.env\n',
    `node_modules/\n.env\n\n${ADDED}\n.env.*\n!.env.example\n__pycache__/\n`,
  ],
  ['one that does not end its last line', 'dist', `dist\n\n${ADDED}\n.env\n.env.*\n!.env.example\n__pycache__/\n`],
  [
    'one with line ends of Windows',
    'dist\r\n.env\r\n',
    `dist\r\n.env\r\n\r\n${ADDED}\r\n.env.*\r\n!.env.example\r\n__pycache__/\r\n`,
  ],
  [
    'one that has everything, in its own order and with its own comments',
    '__pycache__/\r\n# mine\r\n.env  \r\n.env.*\r\n!.env.example\r\n',
    '__pycache__/\r\n# mine\r\n.env  \r\n.env.*\r\n!.env.example\r\n',
  ],
  [
    'one that makes an exception of what we add below: the exception comes last again',
    '.env\n!.env.example\n__pycache__/\n',
    `.env\n!.env.example\n__pycache__/\n\n${ADDED}\n.env.*\n!.env.example\n`,
  ],
];

describe('a .gitignore beside', () => {
  for (const [about, existing, merged] of cases) {
    it(about, () => {
      assert.equal(mergeIgnored(existing, OURS), merged);
      assert.equal(mergeIgnored(merged, OURS), merged, 'merged once more, it is the same');
    });
  }
});
