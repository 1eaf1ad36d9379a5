import assert from 'node:assert/strict';
import { describeOption, findOption } from '../../src/config/options.ts';

describe('the options of a configuration', () => {
  it('say what applies by default', () =>
    assert.deepEqual(
      (['project_name', 'bot_type', 'language', 'recording', 'deploy_to_cloud'] as const).map(
        key => describeOption(findOption(key)).match(/ \((?:default|on).*/)?.[0],
      ),
      [
        " (default: the target directory's name)",
        ' (default: inferred from the transports)',
        ' (default: English)',
        undefined,
        ' (on by default)',
      ],
    ));
});
