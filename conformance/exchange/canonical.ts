// One text for one JSON value.
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
