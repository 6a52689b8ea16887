// Bodies of writes, looked at one field at a time. All problems are collected, because `issues` has to list each.
// Cites 7.code.invalid-input-issues.
import type { ApiRequest, Context, Issue } from './types.ts';
import type { Variant } from './variants.ts';

/** A request body under examination, with every problem found so far. */
export interface Checked {
  body: Record<string, unknown>;
  issues: Issue[];
  context: Context;
}

/** Undefined for bytes that are not JSON or not UTF-8. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Reads the body as a JSON object; any other body becomes a separate problem. */
export function readObject(req: ApiRequest, context: Context): Checked {
  const { variant } = context;
  const checked: Checked = { body: {}, issues: [], context };
  if (variant.requestType === 'json' && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(req.contentType)) {
    checked.issues.push({ path: 'content-type', message: 'must be JSON' });
  }
  const value = parse(req.body);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    checked.issues.push({ path: 'body', message: value === undefined ? 'is not JSON' : 'must be an object' });
    return checked;
  }
  checked.body = value as Record<string, unknown>;
  return checked;
}

/** True when there is a body whose fields can be checked one by one. */
export function isReadable(checked: Checked): boolean {
  return !checked.issues.some((issue) => issue.path === 'body');
}

/** Own fields only: `toString` is not a field of a body. */
export function field(checked: Checked, name: string): unknown {
  return Object.hasOwn(checked.body, name) ? checked.body[name] : undefined;
}

/** An optional field: null may count as absent (R63). */
export function optional(checked: Checked, name: string): unknown {
  const value = field(checked, name);
  return value === null && checked.context.variant.nullOptional === 'absent' ? undefined : value;
}

/** The two behaviors of R11; bytes are never the unit. */
function lengthOf(text: string, unit: Variant['lengthUnit']): number {
  return unit === 'utf16' ? text.length : [...text].length;
}

/** `max` counts characters. */
export interface TextRule {
  name: string;
  max: number;
}

/** A required string of 1 to `max` characters. */
export function checkText(checked: Checked, rule: TextRule): string {
  const { context } = checked;
  const value = field(checked, rule.name);
  const { lengthUnit, blankText, unusualText } = context.variant;
  if (typeof value !== 'string') {
    checked.issues.push({ path: rule.name, message: value === undefined ? 'is required' : 'must be a string' });
    return '';
  }
  const length = lengthOf(value, lengthUnit);
  const blank =
    (blankText === 'reject' && value.trim() === '') ||
    (unusualText === 'reject' && /<|\p{M}|\p{Cf}|\p{Emoji_Presentation}|\s$/u.test(value));
  if (length < 1 || length > rule.max || blank) {
    checked.issues.push({ path: rule.name, message: `must have 1 to ${rule.max} characters` });
  }
  return value;
}

/** A URI: a scheme, a colon, and no character that RFC 3986 forbids unescaped (non-ASCII is accepted). */
export function checkUri(checked: Checked, path: string, value: unknown): void {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(value)) {
    checked.issues.push({ path, message: 'must be a URI' });
  }
}

/** The body copy of a path parameter is ignored; a variant may miss one that is absent or null (R24, R66). */
export function checkCopy(checked: Checked, name: string): void {
  const isMissing = !Object.hasOwn(checked.body, name) || checked.body[name] === null;
  if (checked.context.variant.absentCopy === 'reject' && isMissing) {
    checked.issues.push({ path: name, message: 'is required' });
  }
}

/** Unknown fields are a free choice (R5). */
export function checkNames(checked: Checked, known: readonly string[]): void {
  if (checked.context.variant.unknownFields === 'accept') return;
  for (const name of Object.keys(checked.body)) {
    if (!known.includes(name)) checked.issues.push({ path: name, message: 'is not known' });
  }
}
