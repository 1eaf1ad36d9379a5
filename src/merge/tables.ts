import { readToml } from '../formats/toml-arrays.ts';
import { type Chunk, type Lines, mergeLines, orderInsertions, outcomeOf, type Versions } from './lines.ts';

/** Merges line by line. Of two insertions at one point, the one that goes on with the table above comes first. */
export function mergeTables(versions: Versions<Lines>): readonly Chunk[] | undefined {
  const chunks = mergeLines(versions);
  const goesOn = (lines: Lines) => !isHeader(lines.find(line => line.trim() !== '') ?? '[');
  return chunks && orderInsertions(chunks, (_, __, mine, ours) => goesOn(mine) && ours.some(isHeader));
}

const isHeader = (line: string): boolean => /^\s*\[/.test(line);

const INVALID = "With botcli's change, the file would no longer be valid TOML.";
const MISPLACED = "With botcli's change, a key would be in another table.";

/** Merged TOML must still be TOML, and have the values of the side that changed them. */
export function checkToml(chunks: readonly Chunk[], versions: Versions<Lines>): Map<Chunk, string> {
  const changes = chunks.filter(({ source }) => source === 'botcli');
  const [user, base, botcli] = [readToml(versions.user), readToml(versions.base), readToml(versions.botcli)];
  if (!user || !botcli) return new Map();
  const merged = readToml(chunks.flatMap(outcomeOf));
  if (!merged) return new Map(changes.map(chunk => [chunk, INVALID]));
  if (!base || chunks.some(({ source }) => source === 'conflict')) return new Map();
  const values = { user: valuesIn(user), base: valuesIn(base), botcli: valuesIn(botcli) };
  const result = valuesIn(merged);
  const isWrong = [...values.user.keys(), ...values.botcli.keys(), ...result.keys()].some(key => {
    const [mine, old, ours] = [values.user.get(key), values.base.get(key), values.botcli.get(key)];
    // What both changed was settled before.
    return (mine === old || ours === old) && result.get(key) !== (mine === old ? ours : mine);
  });
  return new Map(isWrong ? changes.map(chunk => [chunk, MISPLACED]) : []);
}

/** The values of a document, by their paths. The order of an array's items doesn't matter. */
function valuesIn(table: object, path: readonly string[] = []): Map<string, string> {
  return new Map(
    Object.entries(table).flatMap(([key, value]): (readonly [string, string])[] => {
      const at = [...path, key];
      if (Array.isArray(value))
        return [
          [
            JSON.stringify(at),
            value
              .map(item => JSON.stringify(item))
              .sort()
              .join(),
          ],
        ];
      if (typeof value === 'object' && !(value instanceof Date)) return [...valuesIn(value as object, at)];
      return [[JSON.stringify(at), JSON.stringify(value)]];
    }),
  );
}
