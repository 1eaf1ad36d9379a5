import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import semver from 'semver';
import { GENERATORS } from '../../src/package-root.ts';
import { inRepository, readText } from '../support/documents.ts';

const built = (path: string) => readFileSync(inRepository(`dist/${path}`), 'utf8');
const { engines } = JSON.parse(readText('package.json'));

describe('on a Node that is too old', () => {
  const versions = ['14.21.3', '16.20.2', '18.20.8', '20.0.0', '20.18.3', '20.19.0', '20.20.1', '21.7.3'];
  const newer = ['22.0.0', '22.11.0', '22.12.0', '22.13.0', '22.21.0', '23.0.0', '24.1.0', '100.0.0'];

  /** What the first statement of a file does on a version of Node. */
  function runOn(node: string, file: string) {
    const [first = ''] = /^[\s\S]*?\n}\n/.exec(built(file).replace(/^#!.*/, '')) ?? [];
    const said: string[] = [];
    const fake = { versions: { node }, exitCode: 0 };
    const error = (text: string) => said.push(text);
    try {
      new Function('process', 'console', first)(fake, { error });
    } catch (thrown) {
      said.push((thrown as Error).message);
    }
    return { said, code: fake.exitCode };
  }

  for (const node of [...versions, ...newer]) {
    const works = semver.satisfies(node, engines.node);
    it(`${works ? 'no, on' : 'such as'} ${node}, ${works ? 'it starts' : 'botcli says what it needs'}`, () => {
      const why = `botcli needs Node.js 20.19+ or 22.13+, and this is ${node}. Get it from https://nodejs.org`;
      assert.deepEqual(
        runOn(node, 'src/bin/botcli.js'),
        works ? { said: [], code: 0 } : { said: [`error: ${why}`], code: 1 },
      );
      for (const name of GENERATORS)
        assert.deepEqual(runOn(node, `src/${name}-generator.js`).said, works ? [] : [why], name);
    });
  }
});

it('every document says which Node botcli needs, as its packages do', () => {
  assert.equal(engines.node, '^20.19.0 || >=22.13.0');
  for (const name of ['botcli', 'create-botcli'])
    assert.deepEqual(JSON.parse(readText(`packages/${name}/package.json`)).engines, engines, name);
  for (const path of ['README.md', 'CONTRIBUTING.md', 'generators/guide/templates/GETTING_STARTED.md.ejs'])
    assert.match(readText(path), /20\.19\+ or 22\.13\+/, path);
});

it('each bundled package comes with its license', () => {
  const sections = built('THIRD-PARTY-LICENSES.txt').split(/\n(?=\S+ \d+\.\d+\.\d+\S*\n-+\n)/);
  assert(sections.length > 30);
  for (const section of sections.slice(1))
    assert.match(
      section,
      /Copyright|License: (?:CC0-1\.0|CC-BY-3\.0), by |Redistribution|Blue Oak/i,
      section.slice(0, 80),
    );
  assert.doesNotMatch(sections.join('\n'), /^License: MIT/m);
});
