import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { archiveOf } from '../../../src/deploy/context/archive.ts';
import { readContext } from '../../../src/deploy/context/context.ts';
import { posixIt } from '../../support/systems.ts';
import { inTree, type Tree } from '../../support/trees.ts';

const LONG = `${'d'.repeat(98)}/`;
/** What Windows has no names for. */
const ODD: Tree = { 'a\nb\u007F': 'control characters' };
/** Names at the edges of what a header can hold, and sizes at the edges of a block and a buffer. */
const TREE: Tree = {
  '.dockerignore': '',
  Dockerfile: 'FROM base\n',
  empty: '',
  [`${LONG}x`]: 'a name of 100 bytes',
  [`${LONG}xy`]: 'of 101',
  'grüße/😀.txt': 'not ASCII',
  block: 'b'.repeat(512),
  more: 'c'.repeat(513),
  buffer: 'd'.repeat(2 ** 18),
  large: 'e'.repeat(3_000_001),
};

type Archive = Awaited<ReturnType<typeof archiveOf>>;

/** Packs these files. `pack` reads them again. */
const withArchive = (
  tree: Tree,
  use: (archive: Archive, root: string, pack: () => Promise<Archive>) => void | Promise<void>,
  mode = 0o666,
) =>
  inTree(tree, async directory => {
    const project = realpathSync(directory);
    for (const name of Object.keys(tree)) chmodSync(join(project, name), name === 'block' ? 0o700 : mode);
    const place = { contextDir: '.', dockerfile: 'Dockerfile', exclude: [], imports: [] };
    const { files } = readContext({ project, deployFile: 'cloud-deploy.toml', ...place });
    const pack = () => archiveOf(files);
    await use(await pack(), project, pack);
  });

const hashOf = (algorithm: string, bytes: Buffer): string => createHash(algorithm).update(bytes).digest('hex');

describe('the archive that a deploy uploads', () => {
  posixIt("is the tar of the platform's client, in a gzip file without compression", () =>
    withArchive({ ...TREE, ...ODD }, ({ bytes, hash, content }) => {
      const archive = Buffer.concat([...content()].map(chunk => Buffer.from(chunk)));
      assert.equal(archive.length, bytes, 'its size is known before');
      assert.equal(hash, hashOf('md5', archive).slice(0, 16));
      assert.equal(archive.subarray(0, 10).toString('hex'), '1f8b08000000000000ff');
      const tar = gunzipSync(archive);
      assert.equal(tar.length % 10_240, 0);
      // What create_deterministic_tarball of pipecatcloud 1.4.0 makes of this tree, decompressed.
      assert.equal(hashOf('sha256', tar), '5a1a1fa8a212e858594de8fb2098ff5911b804c9e68e701794cd6e71965fb6f0');
    }),
  );

  it('has its exact size at every edge of a block', async () => {
    for (const size of [0, 1, 8_191, 8_192, 8_193, 63_487, 63_488, 65_535, 1_048_560]) {
      await withArchive({ Dockerfile: 'x'.repeat(size) }, ({ bytes, content }) => {
        const archive = Buffer.concat([...content()].map(chunk => Buffer.from(chunk)));
        assert.equal(archive.length, bytes, `${size}`);
        assert(gunzipSync(archive).subarray(512).toString('latin1', 0, size) === 'x'.repeat(size));
      });
    }
  });

  posixIt("has another hash if a file's contents, name or mode differ", async () => {
    const trees: [Tree, number?][] = [
      [{ Dockerfile: 'a' }],
      [{ Dockerfile: 'b' }],
      [{ Dockerfile: 'a' }, 0o755],
      [{ Dockerfile: 'a', b: '' }],
      [{ Dockerfile: 'a', c: '' }],
    ];
    const hashes = new Set<string>();
    for (const [tree, mode] of trees) await withArchive(tree, ({ hash }) => void hashes.add(hash), mode);
    assert.equal(hashes.size, trees.length);
  });

  const changes: [about: string, change: (root: string) => void][] = [
    ['contents', root => writeFileSync(join(root, 'large'), 'f'.repeat(3_000_001))],
    ['size', root => appendFileSync(join(root, 'large'), 'f')],
    ['a file that is gone', root => rmSync(join(root, 'more'))],
    [
      'a file that has become a link',
      root => {
        rmSync(join(root, 'more'));
        symlinkSync('large', join(root, 'more'));
      },
    ],
  ];
  for (const [about, change] of changes) {
    it(`is never whole if files change after the hash: ${about}`, () =>
      withArchive(TREE, ({ bytes, content }, root) => {
        change(root);
        let sent = 0;
        const send = () => {
          for (const chunk of content()) sent += chunk.length;
        };
        const message = 'Files changed during the upload. Run it again.';
        assert.throws(send, { name: 'UserError', message, exitCode: 1 });
        assert(sent < bytes);
      }));
  }

  it('has no hash if a file changes before that', () =>
    withArchive(TREE, async (_, root, pack) => {
      writeFileSync(join(root, 'more'), '');
      await assert.rejects(pack(), { message: 'Files changed while botcli read them. Run it again.' });
    }));
});
