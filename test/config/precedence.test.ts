import assert from 'node:assert/strict';
import { scaffoldOptions } from '../../src/config/options.ts';
import { LOCAL, resolveFile, resolveFlags } from '../support/resolving.ts';

const SWITCHES = scaffoldOptions.filter(({ kind }) => kind === 'boolean').map(({ key }) => key);

describe('precedence', () => {
  for (const key of SWITCHES) {
    it(`${key}: the flag overrides the file, and the file overrides the default`, () => {
      for (const state of [true, false]) {
        const cloud = key === 'deploy_to_cloud' ? {} : { deploy_to_cloud: true };
        assert.equal(resolveFile({ ...LOCAL, ...cloud, [key]: !state }, { [key]: state })[key], state);
        assert.equal(resolveFile({ ...LOCAL, ...cloud, [key]: state })[key], state);
      }
    });
  }

  it("a name in the file overrides the directory's; without it, the directory's name is used, or bot", () => {
    assert.equal(resolveFile({ ...LOCAL, name: 'file' }).project_name, 'file');
    assert.equal(resolveFlags(LOCAL, {}, 'place').project_name, 'place');
    assert.equal(resolveFlags(LOCAL, {}, '').project_name, 'bot');
  });

  it('none overrides the file, and a flag overrides none in the file', () => {
    const video = (file: string, flag?: string) =>
      resolveFile({ ...LOCAL, video: file }, { video_service: flag }).video_service;
    const videos = [video('tavus_video', 'none'), video('none', 'tavus_video'), video('none')];
    assert.deepEqual(videos, [null, 'tavus_video', null]);
  });

  it('a flag that replaces an invalid value of the file leaves no problem', () => {
    assert.equal(resolveFile({ ...LOCAL, mode: 'casade' }, { mode: 'cascade' }).mode, 'cascade');
  });
});
