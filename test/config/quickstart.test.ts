import assert from 'node:assert/strict';
import { PROGRAM } from '../../src/about.ts';
import { commandOf } from '../../src/config/command.ts';
import { ON_THIS_COMPUTER, ONE_KEY_BOT, QUICKSTART } from '../../src/config/quickstart.ts';
import { listVariables } from '../../src/project/variables.ts';
import { LOCAL, resolveFlags } from '../support/resolving.ts';

describe('a preset bot', () => {
  it('has a word of its own', () => assert.equal(QUICKSTART, 'quickstart'));

  it('as options is local, with evals', () => {
    const command = commandOf(resolveFlags({ ...LOCAL, project_name: 'x', enable_eval: true }));
    assert.equal(command.replace('--mode', '-m'), `${PROGRAM} init . --name x ${ONE_KEY_BOT}`);
  });

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
