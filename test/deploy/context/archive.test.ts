import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { archiveBytes, hashArchive, readArchive } from '../../../src/deploy/context/archive.ts';
import { type Context, readContext } from '../../../src/deploy/context/context.ts';
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

const withContext = (tree: Tree, use: (context: Context, root: string) => void | Promise<void>) =>
  inTree(tree, async directory => {
    const root = realpathSync(directory);
    for (const name of Object.keys(tree)) chmodSync(join(root, name), name === 'block' ? 0o700 : 0o666);
    const place = { project: root, deployFile: 'cloud-deploy.toml', directory: '.', patterns: [], imports: [] };
    await use(readContext({ ...place, buildFile: 'Dockerfile' }), root);
  });

async function collect(chunks: AsyncIterable<Buffer>, into: Buffer[] = []): Promise<Buffer> {
  for await (const chunk of chunks) into.push(chunk);
  return Buffer.concat(into);
}

const hashOf = (algorithm: string, bytes: Buffer): string => createHash(algorithm).update(bytes).digest('hex');

describe('the archive that a deploy uploads', () => {
  posixIt("is the tar of the platform's client, in a gzip file without compression", async () => {
    await withContext({ ...TREE, ...ODD }, async ({ files }) => {
      const hash = await hashArchive(files);
      const archive = await collect(readArchive(files, hash));
      assert.equal(archive.length, archiveBytes(files), 'its size is known before');
      assert.equal(hash, hashOf('md5', archive).slice(0, 16));
      assert.equal(archive.subarray(0, 10).toString('hex'), '1f8b08000000000000ff');
      const tar = gunzipSync(archive);
      assert.equal(tar.length % 10_240, 0);
      // What create_deterministic_tarball of pipecatcloud 1.4.0 makes of this tree, decompressed.
      assert.equal(hashOf('sha256', tar), '5a1a1fa8a212e858594de8fb2098ff5911b804c9e68e701794cd6e71965fb6f0');
    });
  });

  it('has its exact size at every edge of a block', async () => {
    for (const bytes of [0, 1, 8_191, 8_192, 8_193, 63_487, 63_488, 65_535, 1_048_560]) {
      await withContext({ Dockerfile: 'x'.repeat(bytes) }, async ({ files }) => {
        const archive = await collect(readArchive(files, await hashArchive(files)));
        assert.equal(archive.length, archiveBytes(files), `${bytes}`);
        assert.equal(
          gunzipSync(archive)
            .subarray(512, 512 + bytes)
            .toString(),
          'x'.repeat(bytes),
        );
      });
    }
  });

  posixIt("has another hash if a file's contents, name or mode differ", async () => {
    const trees: [Tree, number][] = [
      [{ Dockerfile: 'a' }, 0o644],
      [{ Dockerfile: 'b' }, 0o644],
      [{ Dockerfile: 'a' }, 0o755],
      [{ Dockerfile: 'a', b: '' }, 0o644],
      [{ Dockerfile: 'a', c: '' }, 0o644],
    ];
    const hashes: string[] = [];
    for (const [tree, mode] of trees) {
      await inTree(tree, async directory => {
        chmodSync(join(directory, 'Dockerfile'), mode);
        const project = realpathSync(directory);
        const place = { project, deployFile: 'cloud-deploy.toml', directory: '.', patterns: [], imports: [] };
        hashes.push(await hashArchive(readContext({ ...place, buildFile: 'Dockerfile' }).files));
      });
    }
    assert.equal(new Set(hashes).size, trees.length);
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
    it(`is never whole if files change after the hash: ${about}`, async () => {
      await withContext(TREE, async ({ files }, root) => {
        const hash = await hashArchive(files);
        change(root);
        const sent: Buffer[] = [];
        await assert.rejects(collect(readArchive(files, hash), sent), {
          name: 'UserError',
          message: 'Files changed during the upload. Run it again.',
          exitCode: 1,
        });
        assert(Buffer.concat(sent).length < archiveBytes(files));
      });
    });
  }

  it('has no hash if a file changes before that, or if somebody stops it', async () => {
    await withContext(TREE, async ({ files }, root) => {
      await assert.rejects(hashArchive(files, AbortSignal.abort(new Error('stopped'))), { message: 'stopped' });
      writeFileSync(join(root, 'more'), '');
      const message = 'Files changed while botcli read them. Run it again.';
      await assert.rejects(hashArchive(files), { message });
    });
  });
});
