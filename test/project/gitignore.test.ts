import assert from 'node:assert/strict';
import { placeFiles } from '../../src/project/files/files.ts';

const OURS = '# Keys\n.env\n.env.*\n!.env.example\n\n# Python\n__pycache__/\n';
const ADDED = '# Added for the voice bot';

const cases: Record<string, [existing: string | undefined, merged: string]> = {
  none: [undefined, OURS],
  'an empty one': ['', OURS],
  'a blank one': ['\n \n', OURS],
  ours: [OURS, OURS],
  "the user's: it stays, and missing patterns are added at the end": [
    'node_modules/\n.env\n',
    `node_modules/\n.env\n\n${ADDED}\n.env.*\n!.env.example\n__pycache__/\n`,
  ],
  'one without a final line break': ['dist', `dist\n\n${ADDED}\n.env\n.env.*\n!.env.example\n__pycache__/\n`],
  'one with Windows line endings': [
    'dist\r\n.env\r\n',
    `dist\r\n.env\r\n\r\n${ADDED}\r\n.env.*\r\n!.env.example\r\n__pycache__/\r\n`,
  ],
  'one with all the patterns, in another order and with other comments': [
    '__pycache__/\r\n# mine\r\n.env  \r\n.env.*\r\n!.env.example\r\n',
    '__pycache__/\r\n# mine\r\n.env  \r\n.env.*\r\n!.env.example\r\n',
  ],
  'one with an exception to a pattern that we add: the exception comes last again': [
    '.env\n!.env.example\n__pycache__/\n',
    `.env\n!.env.example\n__pycache__/\n\n${ADDED}\n.env.*\n!.env.example\n`,
  ],
};

function merge(existing: string | undefined): string {
  const read = () => (existing === undefined ? undefined : Buffer.from(existing));
  return String(placeFiles([['.gitignore', OURS]], { read })[0]?.contents);
}

describe('merging our .gitignore with', () => {
  for (const [about, [existing, merged]] of Object.entries(cases)) {
    it(about, () => {
      assert.equal(merge(existing), merged);
      assert.equal(merge(merged), merged, 'merging again changes nothing');
    });
  }
});
