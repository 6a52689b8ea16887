// Finds the operation a request means. Cites 4.paths-relative.
import { type Operation, operations } from '../contract/generated/operations.ts';

export const basePath = '/api/v1';

export interface Match {
  readonly operation: Operation;
  /** Path values, decoded. */
  readonly path: Readonly<Record<string, string>>;
}

export type Routing = Match | 'unknown_path' | 'unknown_method';

const byLength = new Map<number, Operation[]>();
for (const operation of Object.values(operations)) {
  const ofLength = byLength.get(operation.segments.length);
  if (ofLength) ofLength.push(operation);
  else byLength.set(operation.segments.length, [operation]);
}

export function route(method: string, path: string): Routing {
  if (!path.startsWith(`${basePath}/`)) return 'unknown_path';
  const segments = path.slice(basePath.length + 1).split('/');
  let pathKnown = false;
  for (const operation of byLength.get(segments.length) ?? []) {
    const values = matchSegments(operation.segments, segments);
    if (!values) continue;
    if (operation.method === method) return { operation, path: values };
    pathKnown = true;
  }
  return pathKnown ? 'unknown_method' : 'unknown_path';
}

/** Methods that a path answers to, for the Allow header. */
export function allowedMethods(path: string): string[] {
  const segments = path.slice(basePath.length + 1).split('/');
  return (byLength.get(segments.length) ?? [])
    .filter((operation) => matchSegments(operation.segments, segments))
    .map(({ method }) => method);
}

function matchSegments(template: readonly string[], segments: readonly string[]): Record<string, string> | null {
  let values: Record<string, string> | null = null;
  for (let i = 0; i < template.length; i += 1) {
    const expected = template[i] as string;
    const actual = segments[i] as string;
    if (expected.startsWith('{')) {
      const value = decode(actual);
      if (value === null || value === '') return null;
      values ??= {};
      values[expected.slice(1, -1)] = value;
    } else if (expected !== actual) return null;
  }
  return values ?? {};
}

function decode(segment: string): string | null {
  try {
    return segment.includes('%') ? decodeURIComponent(segment) : segment;
  } catch {
    return null;
  }
}
