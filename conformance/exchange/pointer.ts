// JSON pointers (RFC 6901), as findings use them.

/** `pointerTo('data', 0, 'a/b')` is `/data/0/a~1b`. */
export function pointerTo(...names: readonly (string | number)[]): string {
  return names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The order of the two replacements matters: `~01` is `~1` and not a slash. */
export function splitPointer(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a pointer; undefined when it leads nowhere. */
export function valueAt(value: unknown, pointer: string): unknown {
  let node = value;
  for (const part of splitPointer(pointer)) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, part)) return undefined;
    node = (node as Record<string, unknown>)[part];
  }
  return node;
}
