import assert from 'node:assert/strict';
import { planClient } from '../../src/project/client.ts';
import { type Features, featuresOf } from '../../src/project/features.ts';
import { listFiles, planBot } from '../../src/project/files/files.ts';
import { CLIENTS } from '../support/projects.ts';
import { LOCAL, resolveFlags } from '../support/resolving.ts';

/** Every feature at once. */
const ALL = Object.fromEntries(Object.keys(featuresOf(resolveFlags(LOCAL))).map(name => [name, true])) as Features;

it('the files of a project are sorted for programs, each with its note', () => {
  const files = listFiles(resolveFlags({ ...LOCAL, deploy_to_cloud: false }));
  const paths = files.map(({ path }) => path);
  assert.deepEqual(paths, paths.toSorted());
  assert.deepEqual(files.slice(0, 2), [
    { path: '.botcli.json', note: 'how this project was made, for botcli update' },
    { path: '.gitattributes', note: 'line endings: the same on every system' },
  ]);
});

/** A template's destination, from its path: npm omits dotfiles from packages, or reads them as its own. */
const undotted = (destination: string) => destination.replace(/(^|\/)\.(?=\w)/, '$1');

describe('the table of files', () => {
  it('has a template tree that mirrors its output', () => {
    const shared = planBot(ALL)
      .map(file => file.destination)
      .filter((path, at, all) => all.indexOf(path) !== at);
    assert.deepEqual([...new Set(shared)], ['server/guard.py', 'server/typed_text.py', 'server/server.py']);
    for (const { template, destination } of planBot(ALL)) {
      const page = template.replace(/\.ejs$/, '');
      assert.equal(shared.includes(destination) ? page.replace(/-[\w-]+(?=\.)/, '') : page, undotted(destination));
    }
    // A client's templates are in the folder of the clients that share them. The icon's path depends on the server.
    for (const { template, destination } of planClient(ALL)) {
      if (template === 'shared/favicon.svg') continue;
      const [, path = ''] = /^[\w-]+\/(.*?)(\.ejs)?$/.exec(template) ?? [];
      assert.equal(`client/${path}`, undotted(destination));
    }
  });

  it('never has two files of a client at the same path', () => {
    for (const client of Object.values(CLIENTS)) {
      const files = planClient(featuresOf(resolveFlags({ ...LOCAL, ...client })));
      const places = files.map(({ destination }) => destination);
      assert.deepEqual(places, [...new Set(places)]);
    }
  });
});
