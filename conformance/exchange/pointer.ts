// JSON pointers (RFC 6901), as findings use them.
import { isObject } from '../../src/contract/json.ts';

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

const depthMax = 6;

/** A field of that name anywhere in a small body, outermost first: its place is not specified (R26, R27). */
export function findField(root: unknown, name: string): { readonly value: unknown; readonly pointer: string } {
  let level: [pointer: string, node: unknown][] = [['', root]];
  for (let depth = 0; depth < depthMax && level.length > 0; depth += 1) {
    for (const [at, node] of level)
      if (isObject(node) && Object.hasOwn(node, name)) return { value: node[name], pointer: at + pointerTo(name) };
    level = level
      .filter(([, node]) => typeof node === 'object' && node !== null)
      .flatMap(([at, node]) =>
        Object.entries(node as object).map(([key, each]) => [at + pointerTo(key), each] as [string, unknown]),
      )
      .slice(0, 1000);
  }
  return { value: undefined, pointer: `/error/${name}` };
}
