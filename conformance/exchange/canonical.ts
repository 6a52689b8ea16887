// One text for one JSON value, and the digest of it. A digest reveals an edit, but not one that also writes the digest
// again.

import { createHash } from 'node:crypto';
import { isObject } from './exchange.ts';

const depthMax = 64;

/** With sorted fields, similar to RFC 8785. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value, 0)) ?? 'null';
}

function sorted(value: unknown, depth: number): unknown {
  if (depth > depthMax) return 'too deep';
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name], depth + 1)]));
}

/** Independent of spaces and of the order of the fields. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(canonical(JSON.parse(JSON.stringify(value))))
    .digest('hex');
}

/** The value with its digest as the last field. */
export function sealed<Value extends object>(value: Value): Value & { readonly digest: string } {
  return { ...value, digest: digestOf(value) };
}

/** Whether a sealed value still has its digest. */
export function isSealed({ digest, ...rest }: Readonly<Record<string, unknown>>): boolean {
  return digest === digestOf(rest);
}
