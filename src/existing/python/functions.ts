import { codeOf, type Item, isName } from '../../formats/python/expressions.ts';
import { isAsked, sometimes } from './blocks.ts';
import { keyOf, listOf } from './constants.ts';
import type { Found, Place } from './found.ts';
import { hasDefault, namedIn } from './lines.ts';
import type { Key, Meaning } from './meanings.ts';
import type { Names } from './names.ts';

/** A call of a function that may read the variable that an argument names. */
interface Call extends Place {
  callee: () => Meaning | undefined;
  args: Item[][];
}

/** Calls may lead through as many functions. */
const MOST_STEPS = 5;

/** The functions that read the variable that an argument names, and their calls. */
export class Functions {
  private readonly calls: Call[] = [];
  /** Methods that need variables, and that nothing here calls. */
  private readonly methods = new Set<Meaning>();
  private readonly names: Names;
  private readonly found: Found;

  constructor(names: Names, found: Found) {
    this.names = names;
    this.found = found;
  }

  add(call: Call): void {
    this.calls.push(call);
  }

  /** Takes a variable that the code can't miss. Returns whether its name is the parameter of a function that wasn't known. */
  require(key: Key, place: Place): boolean {
    const { when } = place;
    if (when.runs === 'never') return false;
    if (key === undefined) this.found.isUntraced ||= when.runs === 'always';
    else if ('of' in key) return this.take(key, when);
    else this.found.require(key, place);
    return false;
  }

  /** Takes variables that the code refuses to miss. In a function, it may only refuse to do one thing. */
  requireChecked(keys: readonly Key[], place: Place): void {
    for (const key of keys.filter(one => one !== undefined)) {
      const isInside = !('of' in key) && place.scope.kind === 'function';
      this.require(key, isInside ? { ...place, when: sometimes(place.when) } : place);
    }
  }

  /** Takes what all calls of such functions name. */
  follow(): void {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (!this.calls.map(call => this.followOne(call)).includes(true)) break;
    }
    this.found.isUntraced ||= this.methods.size > 0;
  }

  private take({ name, of }: Extract<Key, { of: unknown }>, when: Place['when']): boolean {
    const owner = of.kind === 'function' ? of.parent : undefined;
    if (!owner || this.names.ownOf(owner, of.name)?.is === 'needs') return false;
    const parameters = [...of.defines].flatMap(([one, [binding]]) => (binding?.by === 'parameter' ? one : []));
    const isMethod = owner.kind === 'class' && /^(?:self|cls)$/.test(parameters[0] ?? '');
    const at = parameters.indexOf(name) - (isMethod ? 1 : 0);
    const meaning: Meaning = { is: 'needs', at, parameter: name, isAlways: when.runs === 'always' };
    this.names.give(owner, of.name, meaning);
    if (isMethod) this.methods.add(meaning);
    return true;
  }

  /** Returns whether another function turned out to be one. */
  private followOne(call: Call): boolean {
    const meaning = call.callee();
    if (meaning?.is !== 'needs') return false;
    this.methods.delete(meaning);
    const { at, parameter, isAlways } = meaning;
    const named = call.args.findIndex(arg => namedIn(arg).name === parameter);
    const index = named === -1 ? at : named;
    const { name, value } = namedIn(call.args[index] ?? []);
    if (name !== undefined && named === -1) return false;
    if (hasDefault(call.args.slice(index + 1)) || isKnown(value, call)) return false;
    const key = keyOf(value, call.scope, this.names) ?? listOf(value, call.scope, this.names);
    return this.require(key, isAlways ? call : { ...call, when: sometimes(call.when) });
  }
}

/** Whether the code has asked about the variable that a name or a text means. */
export const isKnown = ([only, ...more]: readonly Item[], { when }: Place): boolean =>
  more.length === 0 && isName(only) && isAsked(codeOf(only) ?? '', when);
