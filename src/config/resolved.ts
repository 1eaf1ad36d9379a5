import { type ConfigValues, type LiteralOption, type ScaffoldOption, scaffoldOptions } from './options.ts';

type ResolvedValue<Row, Value> = Row extends { kind: 'text' }
  ? Row extends { isAlwaysSet: true }
    ? Value
    : Exclude<Value, 'none'> | null
  : Value;

type ResolvedValues = {
  [Row in LiteralOption as Row['key']]: ResolvedValue<Row, Required<ConfigValues>[Row['key']]>;
};

/** A resolved configuration: valid, with every default applied. Its keys are those of the JSON, in the same order. */
export interface ScaffoldConfig extends ResolvedValues {
  /** Whether there is a client framework. */
  generate_client: boolean;
}

/** Every key in order, with its default, or null if it has none. */
export const defaults = Object.fromEntries(
  scaffoldOptions.flatMap(({ key, default: preset }: ScaffoldOption) => {
    const before: [string, boolean][] = key === 'client_framework' ? [['generate_client', false]] : [];
    return [...before, [key, preset ?? null] as const];
  }),
) as { readonly [Key in keyof ScaffoldConfig]: ScaffoldConfig[Key] extends boolean ? boolean : null };
