import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ALIASES } from '../../scripts/generated.ts';
import { inRepository } from '../support/documents.ts';
import { RELEASE } from '../support/program.ts';
import { posixIt } from '../support/systems.ts';
import { inTree } from '../support/trees.ts';

const PARTS = ['src', 'scripts', 'schema', 'packages', 'docs', 'README.md', 'LICENSE', 'CHANGELOG.md', 'package.json'];
const ENV = {
  GITHUB_SERVER_URL: 'https://git.example.com',
  GITHUB_REPOSITORY: 'acme/bots',
  GITHUB_REF_NAME: `v${RELEASE}`,
};
const PACKAGES = ['.', ...ALIASES.map(({ name }) => `packages/${name}`)];

/** A test with a copy of this repository, whose changelog has a date for the release. */
const inCopy = (use: (copy: Copy) => void) => () =>
  inTree({}, async directory => {
    for (const part of [...PARTS, 'package-lock.json', 'tsconfig.json'])
      cpSync(inRepository(part), join(directory, part), { recursive: true });
    symlinkSync(inRepository('node_modules'), join(directory, 'node_modules'), 'junction');
    use(new Copy(directory));
  });

class Copy {
  readonly directory: string;
  constructor(directory: string) {
    this.directory = directory;
    this.date('2030-01-31');
  }
  read = (path: string) => readFileSync(join(this.directory, path), 'utf8');
  json = (path: string) => JSON.parse(this.read(`${path}/package.json`));
  date(date: string): void {
    const dated = this.read('CHANGELOG.md').replace(/(?<=^## \[[\d.]+\] - ).*$/m, date);
    writeFileSync(join(this.directory, 'CHANGELOG.md'), dated);
  }
  release(step: string, env: object = ENV) {
    return spawnSync(process.execPath, ['--import', 'tsx/esm', 'scripts/release.ts', step], {
      cwd: this.directory,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
  }
}

describe('npm run release -- prepare', () => {
  it(
    'gives all packages the version and the repository, and the documents their commands',
    inCopy(copy => {
      const { status, stderr } = copy.release('prepare');
      assert.equal(status, 0, stderr);
      for (const path of PACKAGES) {
        const { version, repository, homepage, bugs, keywords, dependencies } = copy.json(path);
        assert.equal(version, RELEASE);
        assert.deepEqual(repository, {
          type: 'git',
          url: 'git+https://git.example.com/acme/bots.git',
          ...(path !== '.' && { directory: path }),
        });
        assert.deepEqual(
          [homepage, bugs],
          ['https://git.example.com/acme/bots#readme', 'https://git.example.com/acme/bots/issues'],
        );
        assert(keywords.length > 5);
        assert.deepEqual(dependencies, path === '.' ? undefined : { 'generator-botcli': RELEASE });
      }
      const { scripts, files } = copy.json('.');
      assert.equal(scripts.prepare, undefined, 'who installs the package would run it');
      assert(files.includes('!dist/.compiled'));
      const lock = JSON.parse(copy.read('package-lock.json'));
      assert.deepEqual([lock.version, lock.packages[''].version], [RELEASE, RELEASE]);
      assert(copy.read('src/version.ts').includes(`'${RELEASE}'`));
      const readme = copy.read('README.md');
      assert(readme.includes(`\n  npx botcli@${RELEASE} dev\n`));
      for (const page of [
        'README',
        'docs/create',
        'docs/reference',
        'docs/update',
        'docs/secrets',
        'packages/botcli/README',
      ])
        assert.doesNotMatch(copy.read(`${page}.md`), /on npm yet|until the release/, page);
      assert(copy.read('docs/secrets.md').includes(`npx --yes botcli@${RELEASE} cloud secrets set`));
    }),
  );

  const refusals: [about: string, env: object, date: string, message: RegExp][] = [
    ['another tag', { ...ENV, GITHUB_REF_NAME: 'v9.9.9' }, '2030-01-31', /The tag is "v9\.9\.9", but/],
    ['the tag of a preview', { ...ENV, GITHUB_REF_NAME: `v${RELEASE}-rc.1` }, '2030-01-31', /The tag is/],
    ['no repository', { ...ENV, GITHUB_REPOSITORY: '' }, '2030-01-31', /GITHUB_REPOSITORY must be set/],
    ['no date', ENV, 'unreleased', /CHANGELOG\.md needs a date for \S+: it says "unreleased"/],
    ['a day that no month has', ENV, '2030-13-01', /needs a date/],
  ];
  for (const [about, env, date, message] of refusals) {
    it(
      `refuses ${about}`,
      inCopy(copy => {
        copy.date(date);
        const before = copy.read('package.json');
        const { status, stderr } = copy.release('prepare', env);
        assert.equal(status, 1);
        assert.match(stderr, message);
        assert.equal(copy.read('package.json'), before);
      }),
    );
  }
});

describe('npm run release -- publish', () => {
  /** What npm answers for each package, and what is published then. */
  const runs: [about: string, view: string, published: readonly string[], code: number][] = [
    ['everything, first what the others need', 'echo "npm error code E404" >&2; exit 1', PACKAGES, 0],
    ['the next version of everything', 'exit 0', PACKAGES, 0],
    ['the rest, after a run that failed', 'case "$*" in *generator-botcli*) echo 0.1.0;; esac', PACKAGES.slice(1), 0],
    ['nothing, if all is there', 'echo 0.1.0', [], 0],
    ["nothing, if npm can't say", 'echo "npm error code ECONNREFUSED" >&2; exit 1', [], 1],
  ];
  for (const [about, view, published, code] of runs) {
    posixIt(
      about,
      inCopy(copy => {
        const bin = join(copy.directory, 'bin');
        mkdirSync(bin);
        writeFileSync(
          join(bin, 'npm'),
          `#!/bin/sh\ncase "$1" in view) ${view};; *) echo "$*" >> '${copy.directory}/ran';; esac\n`,
        );
        chmodSync(join(bin, 'npm'), 0o755);
        writeFileSync(join(copy.directory, 'ran'), '');
        const { status, stderr } = copy.release('publish', { PATH: `${bin}${delimiter}${process.env.PATH}` });
        assert.equal(status, code, stderr);
        assert.deepEqual(
          copy.read('ran').split('\n').slice(0, -1),
          published.map(path => `publish ${path === '.' ? path : `./${path}`} --provenance --access public`),
        );
      }),
    );
  }
});
