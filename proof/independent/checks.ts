// Bodies of writes, one rule for each field. All problems are collected, because `issues` has to list each.
// Cites 7.code.invalid-input-issues.
import type { ApiRequest, Context, Fields, Issue } from './types.ts';
import type { Variant } from './variants.ts';

/** Finds the problems of a field; `undefined` is one that is absent. */
export type Rule = (value: unknown, context: Context, path: string) => readonly Issue[];

/** A rule with one message for all its problems, or none. */
const rule =
  (messageFor: (value: unknown, context: Context) => string | false): Rule =>
  (value, context, path) => {
    const message = messageFor(value, context);
    return message === false ? [] : [{ path, message }];
  };

/** A required string of 1 to `max` characters; R11 leaves open what a character is, but bytes are never the unit. */
export const text = (max: number): Rule =>
  rule((value, { variant: { lengthUnit, blankText, unusualText } }) => {
    if (typeof value !== 'string') return value === undefined ? 'is required' : 'must be a string';
    const length = lengthUnit === 'utf16' ? value.length : [...value].length;
    const isRejected =
      (blankText === 'reject' && value.trim() === '') ||
      (unusualText === 'reject' && /<|\p{M}|\p{Cf}|\p{Emoji_Presentation}|\s$/u.test(value));
    return (length < 1 || length > max || isRejected) && `must have 1 to ${max} characters`;
  });

/** Neither 1.5 nor "3" is an integer. */
export const integer = (min: number, max: number): Rule =>
  rule((value) => {
    const isValid = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
    return !isValid && `must be an integer from ${min} to ${max}`;
  });

export const oneOf = (values: readonly unknown[]): Rule =>
  rule((value) => !values.includes(value) && `must be one of ${values.join(', ')}`);

/** A scheme, a colon, and no character that RFC 3986 forbids unescaped (non-ASCII is accepted). */
export const uri: Rule = rule(
  (value) => !(typeof value === 'string' && /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(value)) && 'must be a URI',
);

/** The body copy of a path parameter is ignored; a variant may miss one that is absent or null (R24, R66). */
export const copy: Rule = rule(
  (value, { variant }) => variant.absentCopy === 'reject' && (value ?? null) === null && 'is required',
);

/** An object with one field, which has a rule. */
export const objectWith =
  (name: string, ofField: Rule): Rule =>
  (value, context, path) =>
    isFields(value) ? ofField(own(value, name), context, `${path}.${name}`) : [{ path, message: 'must be an object' }];

/** Null may count as absent (R63). */
export const optional =
  (ofValue: Rule): Rule =>
  (value, context, path) =>
    value === undefined || (value === null && context.variant.nullOptional === 'absent')
      ? []
      : ofValue(value, context, path);

export function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Own fields only: `toString` is not a field of a body. */
function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Undefined for bytes that are not JSON or not UTF-8. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The fields of a body and every problem; a body of another type has no fields. Unknown fields are open (R5). */
export function readBody(
  req: ApiRequest,
  context: Context,
  rules: Readonly<Record<string, Rule>>,
): { body: Fields; issues: Issue[] } {
  const { requestType, unknownFields } = context.variant;
  const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(req.contentType);
  const issues = requestType === 'json' && !isJson ? [{ path: 'content-type', message: 'must be JSON' }] : [];
  const value = parse(req.body);
  if (!isFields(value)) {
    const message = value === undefined ? 'is not JSON' : 'must be an object';
    return { body: {}, issues: [...issues, { path: 'body', message }] };
  }
  for (const [name, check] of Object.entries(rules)) issues.push(...check(own(value, name), context, name));
  const unknown = Object.keys(value).filter((name) => unknownFields === 'reject' && !Object.hasOwn(rules, name));
  return { body: value, issues: [...issues, ...unknown.map((path) => ({ path, message: 'is not known' }))] };
}

type LimitRule = { usual: number; max: number; invalid: Variant['badLimit'] };

/** An invalid limit is open (R19, R38): rejected, brought into range, or the usual one. */
export function readLimit(query: URLSearchParams, { usual, max, invalid }: LimitRule): number | undefined {
  const sent = query.get('limit');
  if (sent === null) return usual;
  const value = /^-?\d+$/.test(sent) ? Number(sent) : Number.NaN;
  if (value >= 1 && value <= max) return value;
  if (invalid === 'by-class' && value > max) return max;
  if (invalid === 'clamp' && !Number.isNaN(value)) return Math.min(max, Math.max(1, value));
  return invalid === 'clamp' || invalid === 'ignore' ? usual : undefined;
}
