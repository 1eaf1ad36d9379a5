import assert from 'node:assert/strict';
import { guideFooter, isOlder, readmeFooter, writtenBy } from '../../src/project/files/files.ts';

const VERSION = '0.10.0';

const stamps: [about: string, text: string, writtenBy: string | undefined, isOlder: boolean][] = [
  ['of this version', `# Guide\n\n${guideFooter(VERSION)}\n`, VERSION, false],
  ['of a version that is lower, and higher as a text', `# Guide\n\n${guideFooter('0.9.0')}\n`, '0.9.0', true],
  ['of a preview of this version', guideFooter('0.10.0-rc.1'), '0.10.0-rc.1', true],
  ['of a newer version', guideFooter('1.0.0'), '1.0.0', false],
  ['of a newer preview', guideFooter('0.11.0-rc.1'), '0.11.0-rc.1', false],
  ['in a README', `# Bot\n\n${readmeFooter('0.9.0')}\n`, '0.9.0', true],
  ['with line ends of Windows', `# Guide\r\n\r\n${guideFooter('0.9.0')}\r\n`, '0.9.0', true],
  ['with blank lines after it', `${guideFooter('0.9.0')}\n\n \n`, '0.9.0', true],
  ['not on the last line', `${guideFooter('0.9.0')}\n\nMy notes.\n`, undefined, true],
  ['above that of a newer one', `${guideFooter('0.9.0')}\n${guideFooter('1.0.0')}\nMy notes.\n`, undefined, false],
  ['within a line above others', `See ${guideFooter('0.9.0')}\n\nMy notes.\n`, undefined, false],
  ['in the middle of the last line', `See ${guideFooter('0.9.0')}\n`, undefined, false],
  ['of no version', '<!-- Written by botcli latest. -->\n', undefined, false],
  ['of another tool', '<!-- Written by pipecat-ai 0.9.0. -->\n', undefined, false],
  ['missing', '# My own guide, for botcli 0.9.0.\n', undefined, false],
  ['missing in an empty file', '', undefined, false],
];

describe('a stamp', () => {
  for (const [about, text, version, older] of stamps) {
    it(`${about}: ${version ?? 'none'}${older ? ', older' : ''}`, () => {
      assert.deepEqual([writtenBy(text), isOlder(text, VERSION)], [version, older]);
    });
  }
});

describe('the last line of', () => {
  it('a guide says how to refresh it', () =>
    assert.equal(
      guideFooter('1.0.0'),
      '<!-- Written by botcli 1.0.0. Refresh with: botcli init . --overwrite-guide -->',
    ));

  it('a README says what wrote it', () => assert.equal(readmeFooter('1.0.0'), '<!-- Written by botcli 1.0.0. -->'));
});
