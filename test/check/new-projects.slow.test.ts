import assert from 'node:assert/strict';
import { check, filledProject, summarize } from '../support/check.ts';
import { manyConfigs } from '../support/many-configs.ts';
import { projectMatrix } from '../support/projects.ts';
import { inTree } from '../support/trees.ts';

describe('a new project whose keys are filled in', () => {
  // A third of them, because each is generated and written: every kind of project is among them.
  const configs = [...projectMatrix().filter((_, at) => at % 3 === 0), ...manyConfigs(12)];

  it(`has no findings, whatever was chosen (${configs.length} projects)`, async () => {
    assert(configs.length >= 150);
    for (const config of configs) {
      const found = await inTree(await filledProject(config), root => check(root));
      assert.deepEqual(found.findings.map(summarize), [], JSON.stringify(config));
      assert.equal(found.stdout.split('\n').length, 4, found.stdout);
      assert(!found.stdout.includes("can't"), found.stdout);
    }
  }).timeout(300_000);
});
