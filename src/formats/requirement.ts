/** A requirement of a Python package, as in PEP 508. */
export interface Requirement {
  name: string;
  extras: string[];
  /** Such as `>=1.4,<2`, or `@ https://…`. */
  version: string;
  /** Such as `sys_platform == "win32"`. */
  marker: string;
}

const PARTS =
  /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[([^\]]*)\])?\s*(@[^;]*?(?=\s+;|\s*$)|\([^)]*\)|[^;@]*?)\s*(?:;\s*(.*?)\s*)?$/;

/** Reads a requirement; nothing if it isn't one. */
export function readRequirement(text: string): Requirement | undefined {
  const [matched, name = '', extras = '', version = '', marker = ''] = PARTS.exec(text) ?? [];
  if (matched === undefined) return undefined;
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
