// Arguments that no tool can mean: nested without end, or texts that are not Unicode. JSON lets both through, and code
// that writes them again (a URL, a validator that calls itself) would fail half way. They are rejected before anything
// reads them.
import type { Issue } from '../domain/outcome.ts';

/** No tool takes more than three levels. */
export const nestingMax = 100;

// With the flag `u`, a half matches only where the other half is missing.
const halfCharacter = /[\ud800-\udfff]/u;

/** An object or a list that is still to be looked into. */
interface Place {
  readonly value: object;
  /** Null for the whole. The path is built on demand, because there can be a hundred thousand places. */
  readonly parent: Place | null;
  readonly name: string;
  readonly depth: number;
}

/** The first such problem of a value, or null. Walks without recursion. */
export function findUnreadable(value: unknown): Issue | null {
  const open: Place[] = [{ value: [value], parent: null, name: '', depth: -1 }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value: part, depth } = place;
    if (depth >= nestingMax) return describe(place, `is nested more than ${nestingMax} levels deep`, 'depth');
    const isList = Array.isArray(part);
    for (const name in part) {
      if (!isList && halfCharacter.test(name))
        return describe(place, 'has a name that holds half a character', 'unicode');
      const field = (part as Record<string, unknown>)[name];
      const isText = typeof field === 'string';
      if (!isText && (field === null || typeof field !== 'object')) continue;
      const isBroken = isText && halfCharacter.test(field);
      if (isText && !isBroken) continue;
      const inner: Place = { value: field as object, parent: place, name, depth: depth + 1 };
      if (isText) return describe(inner, 'holds half a character', 'unicode');
      open.push(inner);
    }
  }
  return null;
}

/** The value itself has no name. */
function pathOf({ parent, name, depth }: Place): string {
  return parent === null || depth <= 0 ? '' : `${pathOf(parent)}/${name}`;
}

// A path can be as long as the body, and names of ours are short.
function describe(place: Place, what: string, rule: string): Issue {
  const shown = pathOf(place)
    .slice(0, 100)
    .replace(/[\ud800-\udfff]$/u, '');
  return { path: shown, message: `${shown.slice(1) || 'The input'} ${what}.`, rule };
}
