// Finds the operation a request means. Cites 4.paths-relative.
import { type Operation, operations } from '../contract/generated/operations.ts';
import type { OwnToolName, ToolName } from '../contract/generated/tools.ts';
import type { Validator } from '../contract/generated/validators.js';
import type { CoreRequest } from './message.ts';

/** Cites 9.base-path. */
export const basePath = '/api/v1';
const pathStart = `${basePath}/`;

/** Where the client of a request reaches the API. */
export function baseUrlOf({ origin, baseUrl }: Pick<CoreRequest, 'origin' | 'baseUrl'>): string {
  return baseUrl ?? `${origin}${basePath}`;
}

/** A tool of the MCP endpoint that no path links to, described as an operation is. */
export interface ToolOperation extends Omit<Operation, 'id'> {
  readonly id: OwnToolName;
  /** Holds the response against the tool's own schema. */
  readonly accepts: Validator;
}

/** An operation met by its path. */
export interface Match {
  readonly operation: Operation;
  /** Path values, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly tool?: undefined;
}

export interface ToolMatch {
  readonly operation: Operation | ToolOperation;
  /** The arguments that REST has in the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly tool: ToolName;
}

/** `protocol`: a message of the MCP endpoint that calls no tool, or a preflight. */
export type Routing = Match | ToolMatch | 'unknown_path' | 'unknown_method' | 'protocol';

export type AnyOperation = ToolMatch['operation'];

const byLength = new Map<number, Operation[]>();
for (const operation of Object.values(operations)) {
  const ofLength = byLength.get(operation.segments.length);
  if (ofLength) ofLength.push(operation);
  else byLength.set(operation.segments.length, [operation]);
}

/** Compares segments only with operations of that many, so the length of a path costs nothing. */
export function route(method: string, path: string): Match | 'unknown_path' | 'unknown_method' {
  if (!path.startsWith(pathStart)) return 'unknown_path';
  const segments = path.slice(pathStart.length).split('/');
  for (const operation of byLength.get(segments.length) ?? []) {
    if (operation.method !== method) continue;
    const values = matchSegments(operation.segments, segments);
    if (values) return { operation, path: values };
  }
  return allowedMethods(path).length > 0 ? 'unknown_method' : 'unknown_path';
}

/** Returns the methods of a path, for the Allow header. */
export function allowedMethods(path: string): string[] {
  const segments = path.slice(pathStart.length).split('/');
  return (byLength.get(segments.length) ?? [])
    .filter((operation) => matchSegments(operation.segments, segments))
    .map(({ method }) => method);
}

/** The values of a path, decoded, when it has the form of the template (`accounts/{id}`, split); null otherwise. */
export function matchSegments(template: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (template.length !== segments.length) return null;
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

/** Null for a malformed escape: such a path meets no operation. */
function decode(segment: string): string | null {
  try {
    return segment.includes('%') ? decodeURIComponent(segment) : segment;
  } catch {
    return null;
  }
}
