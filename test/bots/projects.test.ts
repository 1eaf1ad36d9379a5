import assert from 'node:assert/strict';
import { COMPANIONS, transports } from '../../src/catalog/index.ts';
import { matrixProjects } from './projects.ts';

/** The values of a project that level 2 combines: its transports, its mode, and its evals and cloud. */
const made = matrixProjects().map(({ config }) => ({
  ids: config.transports as string[],
  mode: String(config.mode),
  extras: config.enable_eval ? 'evals' : config.deploy_to_cloud === false ? 'no cloud' : 'cloud',
}));
const MODES = ['cascade', 'realtime'];
const EXTRAS = ['evals', 'no cloud'];
const IDS = transports.map(({ id }) => id);

const pairsOf = <One, Other>(ones: readonly One[], others: readonly Other[]) =>
  ones.flatMap(one => others.map(other => [one, other] as const));

describe('the projects of level 2', () => {
  it('have every pair of transports that one bot can have', () => {
    const pairs = transports.flatMap(({ id, family }, at) =>
      transports
        .slice(at + 1)
        .filter(other => COMPANIONS[family].includes(other.family))
        .map(other => [id, other.id]),
    );
    assert(pairs.length > 20);
    for (const pair of pairs) {
      assert(
        made.some(({ ids }) => pair.every(id => ids.includes(id))),
        pair.join(),
      );
    }
  });

  it('have every transport in every mode, with evals and without the cloud', () => {
    for (const id of IDS) {
      for (const [mode, extras] of pairsOf(MODES, EXTRAS)) {
        assert(
          made.some(one => one.ids.join() === id && one.mode === mode && one.extras === extras),
          `${id}, ${mode}, ${extras}`,
        );
      }
    }
  });

  it('have every kind of pair in every mode, with evals and without the cloud', () => {
    for (const [mode, extras] of pairsOf(MODES, EXTRAS)) {
      const isIt = (one: (typeof made)[number]) => one.ids.length > 1 && one.mode === mode && one.extras === extras;
      assert(made.filter(isIt).length > 5, `${mode}, ${extras}`);
    }
  });
});
