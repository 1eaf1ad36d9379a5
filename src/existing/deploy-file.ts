import { parse } from 'smol-toml';

/** The file that describes a deploy. */
export const DEPLOY_FILE = 'server/cloud-deploy.toml';

/** What cloud-deploy.toml says about a deploy. */
export interface DeployFile {
  secretSet: string | undefined;
  pullSecret: string | undefined;
  region: string | undefined;
  /** Undefined if no image is built. */
  buildFile: string | undefined;
}

/** Reads cloud-deploy.toml. Undefined if it isn't TOML. The platform's own command line uses these names and defaults. */
export function parseDeployFile(text: string): DeployFile | undefined {
  try {
    const file = parse(text);
    const build =
      typeof file.build === 'object' && !Array.isArray(file.build) ? (file.build as Record<string, unknown>) : {};
    const folder = textOf(build.context_dir) ?? '.';
    return {
      secretSet: textOf(file.secret_set),
      pullSecret: textOf(file.image_credentials),
      region: textOf(file.region),
      buildFile: file.image === undefined ? `${folder}/${textOf(build.dockerfile) ?? 'Dockerfile'}` : undefined,
    };
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
