/** A requirement of a Python package, as in PEP 508. */
export interface Requirement {
  name: string;
  extras: string[];
  /** Such as `>=1.4,<2`, or `@ https://…`. */
  version: string;
  /** Such as `sys_platform == "win32"`. */
  marker: string;
}

const NAME = /^([A-Za-z0-9][\w.-]*)\s*(?:\[([^\]]*)\])?/;

/** Reads a requirement; nothing if it isn't one. */
export function readRequirement(text: string): Requirement | undefined {
  const trimmed = text.trim();
  const [head, name = '', extras = ''] = NAME.exec(trimmed) ?? [];
  if (head === undefined) return undefined;
  const [version = '', ...more] = trimmed.slice(head.length).trimStart().split(';');
  const isUrl = version.startsWith('@');
  // A URL may contain a semicolon, so the one before a marker comes after a space.
  if (isUrl ? more.length > 0 && !/\s$/.test(version) : version.includes('@')) return undefined;
  const marker = more.join(';').trim();
  if (marker.includes('\n')) return undefined;
  const list = extras.split(',').map(extra => extra.trim());
  return { name, extras: list.filter(Boolean), version: version.trim(), marker };
}

/** The name by which packages are the same: `Pipecat_AI` is `pipecat-ai`. */
export const normalize = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** Writes a requirement as uv does. */
export function writeRequirement({ name, extras, version, marker }: Requirement): string {
  const list = extras.length > 0 ? `[${extras.join(',')}]` : '';
  const at = version.startsWith('@') ? ' ' : '';
  return `${name}${list}${at}${version}${marker && `${at}; ${marker}`}`;
}
