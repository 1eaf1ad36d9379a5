import assert from 'node:assert/strict';
import { ON_THIS_COMPUTER } from '../../src/config/quickstart.ts';
import { listVariables } from '../../src/project/variables.ts';
import { resolveFlags } from '../support/resolving.ts';

describe('a preset bot', () => {
  it('on this computer needs no key, and its type follows from its transport', () => {
    const config = resolveFlags(ON_THIS_COMPUTER);
    assert.deepEqual({ ...config, ...ON_THIS_COMPUTER }, config);
    assert.deepEqual(
      listVariables(config).filter(({ required }) => required),
      [],
    );
    assert.deepEqual(resolveFlags({ ...ON_THIS_COMPUTER, bot_type: undefined }), config);
  });
});
