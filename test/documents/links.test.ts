import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { DOCUMENTS, inRepository, proseOf, readText } from '../support/documents.ts';

/** The anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/[`*]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const anchorsOf = (path: string): string[] =>
  [...proseOf(readText(path)).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** The targets of links and images. */
const linksOf = (path: string): string[] =>
  [...proseOf(readText(path)).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);

describe('each link has a target', () => {
  for (const document of DOCUMENTS) {
    it(`in ${document}`, () => {
      for (const target of linksOf(document).filter(link => !/^https?:/.test(link))) {
        const [path = '', anchor] = target.split('#');
        const page = path === '' ? document : normalize(join(dirname(document), path));
        assert(existsSync(inRepository(page)), target);
        if (anchor !== undefined) assert(anchorsOf(page).includes(anchor), `${target}: ${anchorsOf(page)}`);
      }
    });
  }

  it('and the test finds the links', () => assert(linksOf('README.md').length > 10));
});
