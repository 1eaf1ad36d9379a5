import assert from 'node:assert/strict';
import { services } from '../../src/catalog/index.ts';
import type { ScaffoldConfig } from '../../src/config/config.ts';
import { check, filledProject, summarize } from '../support/check.ts';
import { manyConfigs } from '../support/many-configs.ts';
import { projectMatrix } from '../support/projects.ts';
import { inTree } from '../support/trees.ts';

describe('a new project whose keys are filled in', () => {
  // A fifth of them, because each is generated and written: every kind of project is among them.
  const ended = Object.values(services).flatMap(rows => rows.flatMap(({ id, ended }) => (ended ? [id] : [])));
  const isOffered = (config: ScaffoldConfig) => !ended.some(id => Object.values(config).includes(id));
  const configs = [...projectMatrix().filter((_, at) => at % 5 === 0), ...manyConfigs(12)].filter(isOffered);

  it(`has no findings, whatever was chosen (${configs.length} projects)`, async () => {
    assert(configs.length >= 90);
    for (const config of configs) {
      const found = await inTree(await filledProject(config), root => check(root));
      assert.deepEqual(found.findings.map(summarize), [], JSON.stringify(config));
      assert.equal(found.stdout.split('\n').length, 4, found.stdout);
      assert(!found.stdout.includes("can't"), found.stdout);
    }
  });
});
