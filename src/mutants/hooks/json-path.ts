// Edits inside a JSON value by a path such as `data.accounts.-1.locked`: member names, positions (`-1` is the last) and
// `*` for all. Where the path leads nowhere, nothing is changed.
import { isObject, type Json } from './rewrite.ts';

const gone = Symbol('gone');

/** A change of a whole JSON value; gives back another one and leaves the given one as it is. */
export type Edit = (value: Json) => Json;
/** May say that the value is to vanish, which null could not say. */
type InnerEdit = (value: Json) => Json | typeof gone;

/** Replaces what stands at the path. */
export function put(path: string, value: Json): Edit {
  return change(path, () => value);
}

/** Takes away the member at the path. */
export function drop(path: string): Edit {
  return change(path, () => gone);
}

/** Adds a member, or replaces it, in each object at the path. */
export function add(path: string, members: Readonly<Record<string, Json>>): Edit {
  return change(path, (value) => (isObject(value) ? { ...value, ...members } : value));
}

/** Replaces what stands at the path by what `edit` makes of it. */
export function change(path: string, edit: InnerEdit): Edit {
  const segments = path === '' ? [] : path.split('.');
  return (value) => {
    const edited = walk(value, segments, edit);
    return edited === gone ? null : edited;
  };
}

/** Copies what it goes through: the world's own rows must not be changed by a wrong answer. */
function walk(value: Json, [segment, ...rest]: readonly string[], edit: InnerEdit): Json | typeof gone {
  if (segment === undefined) return edit(value);
  if (Array.isArray(value)) {
    const wanted = segment === '*' ? null : Number(segment) < 0 ? value.length + Number(segment) : Number(segment);
    const items = value.map((item, i) => (wanted === null || wanted === i ? walk(item, rest, edit) : item));
    return items.filter((item) => item !== gone);
  }
  if (!isObject(value) || (segment !== '*' && !Object.hasOwn(value, segment))) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, segment === '*' || segment === name ? walk(member, rest, edit) : member] as const,
  );
  return Object.fromEntries(members.filter((entry): entry is [string, Json] => entry[1] !== gone));
}
