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
import { inTree } from '../generation/trees.ts';
import { openSession, type Session, type Tree, typeLine } from './session.ts';

/** Every value that a session stores holds this, so that none can be shown unnoticed. */
export const SECRET = 'hunter2-swordfish';

/** Command lines typed against a local cloud. No outcome may show a secret or the token: each is searched. */
export interface CloudSession extends Session {
  readonly cloud: LocalCloud;
  /** What the programs of this session find in their environment. */
  readonly env: Record<string, string>;
  /** The requests since the last call, as `GET /path 200`, less the one that looks for organizations. */
  requests(): string[];
}

export interface CloudSurroundings {
  /** Files that are there. */
  files?: Tree;
  cloud?: LocalCloudOptions;
  env?: Record<string, string>;
}

export function cloudSession(
  { files = {}, cloud: options, env: more }: CloudSurroundings,
  use: (session: CloudSession) => Promise<void>,
): () => Promise<void> {
  const inDirectory = async (directory: string) => {
    // botcli keeps its configuration private. One that others can read is a subject of its own tests.
    const config = join(directory, '.config/botcli/config.json');
    if (existsSync(config)) chmodSync(config, 0o600);
    const cloud = await startLocalCloud(options);
    const env = {
      BOTCLI_API_URL: cloud.url,
      BOTCLI_TOKEN: LOCAL_TOKEN,
      BOTCLI_ORG: 'acme',
      HOME: directory,
      ...more,
    };
    let seen = 0;
    const run: Session['run'] = async (line, surroundings = {}) => {
      const outcome = await typeLine(directory, line, { ...surroundings, env: { ...env, ...surroundings.env } });
      assertSecretive(outcome.stdout + outcome.stderr);
      return outcome;
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

/** Fails when a text holds a secret, a token, or a piece of one, as it is or encoded. */
export function assertSecretive(text: string): void {
  for (const secret of [SECRET, LOCAL_TOKEN]) {
    for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const) {
      // Base64 depends on where a text begins: three places, less the signs that its neighbours change.
      const forms = ['', 'x', 'xx'].map(start =>
        Buffer.from(start + secret)
          .toString(encoding)
          .slice(4, -4),
      );
      for (const form of forms) assert(!text.includes(form), `a secret is shown: ${text}`);
    }
  }
}

/** What the local cloud has of a key: whether it's this very value. */
export function storedValue(cloud: LocalCloud, key: string): string | undefined {
  const bodies = cloud.journal.map(({ body }) => body as { secretKey?: string; secretValue?: string } | undefined);
  return bodies.findLast(body => body?.secretKey === key)?.secretValue;
}

export const printOf = (value: string): string => fingerprint(value);
