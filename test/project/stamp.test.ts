import assert from 'node:assert/strict';
import { footerOf, olderGuides, placeFiles } from '../../src/project/files/files.ts';
import { VERSION } from '../../src/version.ts';

const OLD = '<!-- Written by botcli 0.0.9. -->';

/** A README with it is ours; a guide with it is older. */
const stamps: [about: string, text: string, isOurs: boolean, isOlder: boolean][] = [
  ['of this version', `# Guide\n\n${footerOf(VERSION)}\n`, true, false],
  ['of a preview of this version', footerOf(`${VERSION.replace(/-.*/, '')}-0`), true, true],
  ['of a newer version', footerOf('99.0.0', true), true, false],
  ['of a guide, with line ends of Windows', `# Guide\r\n\r\n${footerOf('0.0.9', true)}\r\n`, true, true],
  ['with blank lines after it', `${OLD}\n\n \n`, true, true],
  ['not on the last line', `${OLD}\n\nMy notes.\n`, false, true],
  ['above that of a newer one', `${OLD}\n${footerOf('99.0.0')}\nMy notes.\n`, false, false],
  ['in the middle of a line', `See ${OLD}\n`, false, false],
  ['of no version', '<!-- Written by botcli latest. -->\n', false, false],
  ['of another tool', '<!-- Written by pipecat-ai 0.0.9. -->\n', false, false],
  ['missing in an empty file', '', false, false],
];

describe('a stamp', () => {
  for (const [about, text, isOurs, isOlder] of stamps) {
    it(about, () => {
      const [{ contents } = {}] = placeFiles([['README.md', 'ours']], { read: () => Buffer.from(text) });
      assert.deepEqual([contents !== undefined, olderGuides(() => text).length > 0], [isOurs, isOlder]);
    });
  }

  it('of a guide says how to refresh it', () =>
    assert.equal(
      footerOf('1.0.0', true),
      '<!-- Written by botcli 1.0.0. Refresh with: botcli init . --overwrite-guide -->',
    ));
});
