import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  LOCAL_TOKEN,
  type LocalCloud,
  type LocalCloudOptions,
  startLocalCloud,
} from '../../scripts/local-cloud/index.ts';
import { fingerprint } from '../../scripts/local-cloud/store.ts';
import { openSession, type Session, type Tree, typeLine } from './session.ts';
import { checkSuggestions } from './suggestions.ts';
import { inTree } from './trees.ts';

/** Every value that a session stores contains this, so that a leak is noticed. */
export const SECRET = 'hunter2-swordfish';

/** A session with a local cloud. All output is checked: it contains no secret, and commands run as they stand. */
export interface CloudSession extends Session {
  readonly cloud: LocalCloud;
  readonly env: Record<string, string>;
  /** The requests since the last call, as `GET /path 200`, without the organization's part of the path. */
  requests(): string[];
}

interface CloudSurroundings {
  files?: Tree;
  cloud?: LocalCloudOptions;
  env?: Record<string, string>;
}

export function cloudSession(
  { files = {}, cloud: options, env: more }: CloudSurroundings,
  use: (session: CloudSession) => Promise<void>,
): () => Promise<void> {
  const inDirectory = async (directory: string) => {
    // botcli keeps its configuration private. Other tests cover one that other users can read.
    const config = join(directory, '.config/botcli/config.json');
    if (existsSync(config)) chmodSync(config, 0o600);
    const cloud = await startLocalCloud(options);
    const env = { BOTCLI_API_URL: cloud.url, BOTCLI_TOKEN: LOCAL_TOKEN, BOTCLI_ORG: 'acme', HOME: directory, ...more };
    let seen = 0;
    const run: Session['run'] = async (line, surroundings = {}) => {
      const outcome = await typeLine(directory, line, { ...surroundings, env: { ...env, ...surroundings.env } });
      assertSecretive(outcome.stdout + outcome.stderr);
      const isEarly = outcome.code === 2 && !/ -o /.test([line].flat().join(' '));
      await checkSuggestions(outcome.stderr, isEarly);
      if (outcome.stdout.startsWith('{')) await checkSuggestions(outcome.stdout, isEarly);
      return { ...outcome, stderr: withoutAddress(outcome.stderr, cloud.url) };
    };
    try {
      await use({
        ...openSession(directory, run),
        cloud,
        env,
        requests: () => {
          const all = cloud.requests();
          const fresh = all.slice(seen);
          seen = all.length;
          return fresh.map(line => line.replace('/v1/organizations/acme', ''));
        },
      });
      assertSecretive(JSON.stringify(cloud.journal));
    } finally {
      await cloud.close();
    }
  };
  return () => inTree(files, inDirectory);
}

/** A test with a session that has a local cloud. */
export const cloudIt = (
  title: string,
  surroundings: CloudSurroundings,
  use: (session: CloudSession) => Promise<void>,
): void => void it(title, cloudSession(surroundings, use));

/** Declares such tests whose surroundings are the same. */
export const cloudItWith =
  (surroundings: () => CloudSurroundings) =>
  (title: string, use: (session: CloudSession) => Promise<void>): void =>
    cloudIt(title, surroundings(), use);

/**
 * Removes the lines that only name the API, as every change and every error does unless it is the default one. Tests
 * that are about these lines use `typeLine` or a shell.
 */
const withoutAddress = (text: string, url: string): string =>
  text
    .replaceAll(`API: ${url} (from BOTCLI_API_URL)\n`, '')
    .replaceAll(`The API is ${url} (from BOTCLI_API_URL).\n`, '');

/** Fails if a text contains a secret or a token, plain or encoded. */
export function assertSecretive(text: string): void {
  for (const secret of [SECRET, LOCAL_TOKEN]) {
    for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const) {
      // In Base64, the result depends on the offset modulo 3. The characters at both ends depend on the neighbors.
      const forms = ['', 'x', 'xx'].map(start =>
        Buffer.from(start + secret)
          .toString(encoding)
          .slice(4, -4),
      );
      for (const form of forms) assert(!text.includes(form), `the output contains a secret: ${text}`);
    }
  }
}

/** The fingerprint of the value that was last sent for a key. */
export function storedValue(cloud: LocalCloud, key: string): string | undefined {
  const bodies = cloud.journal.map(({ body }) => body as { secretKey?: string; secretValue?: string } | undefined);
  return bodies.findLast(body => body?.secretKey === key)?.secretValue;
}

export const printOf = (value: string): string => fingerprint(value);
