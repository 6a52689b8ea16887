// A nullable member that no row of an answer has, while each has one that is written alike: the field under another
// name. Rulings R13 bears with a nullable member that is left out, and R12 with a further one; both together are
// neither.
import { type Home, nullableMembers } from './members.ts';

/** One object of an answer. */
interface Node {
  readonly node: Readonly<Record<string, unknown>>;
  readonly pointer: string;
}

export interface Renamed {
  readonly name: string;
  readonly as: string;
  /** The first row that holds a value under the other name. */
  readonly pointer: string;
}

/** `targetKeyword`, `target_keyword` and `TargetKeyword` are written with the same letters. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** Of a list, so that one odd row is none; a name under which nothing stands may be anything. */
export function renamedIn(nodes: readonly Node[], { members }: Home): Renamed[] {
  const missing = members.filter(
    (name) => nullableMembers.has(name) && !nodes.some(({ node }) => Object.hasOwn(node, name)),
  );
  return missing.flatMap((name) => {
    const isAlike = (other: string) => !members.includes(other) && lettersOf(other) === lettersOf(name);
    const as = Object.keys(nodes[0]?.node ?? {}).find(isAlike);
    if (as === undefined || !nodes.every(({ node }) => Object.hasOwn(node, as))) return [];
    const full = nodes.find(({ node }) => node[as] !== null);
    return full === undefined ? [] : [{ name, as, pointer: full.pointer }];
  });
}
