import { type Environment, isWindows } from '../shells.ts';

/** Names that mean a device to Windows, with any ending. Source: Microsoft's "Naming Files, Paths, and Namespaces". */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/** What Windows drops at the end of a name. */
const DROPPED = /[. ]$/;

/** Characters that no name has on Windows. */
const FORBIDDEN = /[<>:"|?*]/;

/**
 * Why Windows can't open a directory that botcli would make; undefined if it can. Node makes some of them there all the
 * same, and then nothing can enter or delete them. On other systems a bot of that name can't be cloned on Windows.
 *
 * @param typed The path as it was typed.
 */
export function whyNotOnWindows(typed: string, env: Environment): string | undefined {
  const parts = typed.split(isWindows(env) ? /[/\\]/ : '/').filter(part => !/^\.{0,2}$/.test(part));
  const device = parts.find(part => DEVICE.test(part));
  if (device !== undefined) return `Windows can't open "${device}": it's the name of a device`;
  const cut = parts.find(part => DROPPED.test(part));
  if (cut !== undefined) return `Windows can't open "${cut}": it ends with a ${cut.endsWith('.') ? 'period' : 'space'}`;
  const names = isWindows(env) ? parts.filter((part, at) => at > 0 || !/^[a-z]:$/i.test(part)) : [];
  const wrong = names.find(name => FORBIDDEN.test(name));
  return wrong && `Windows can't open "${wrong}": a name can't contain ${FORBIDDEN.exec(wrong)?.[0]}`;
}
