import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { DOCUMENTS, inRepository, proseOf, readText } from '../support/documents.ts';

/** What a page calls a heading in its address. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/[`*]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const anchorsOf = (path: string): string[] =>
  [...proseOf(readText(path)).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** The targets of links and pictures. */
const linksOf = (path: string): string[] =>
  [...proseOf(readText(path)).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);

describe('each link leads somewhere', () => {
  for (const document of DOCUMENTS) {
    it(`of ${document}`, () => {
      for (const target of linksOf(document).filter(link => !/^https?:/.test(link))) {
        const [path = '', anchor] = target.split('#');
        const page = path === '' ? document : normalize(join(dirname(document), path));
        assert(existsSync(inRepository(page)), target);
        if (anchor !== undefined) assert(anchorsOf(page).includes(anchor), `${target}: ${anchorsOf(page)}`);
      }
    });
  }

  it('and they are found', () => assert(linksOf('README.md').length > 15));
});
