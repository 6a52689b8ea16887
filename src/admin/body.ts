// Reads the JSON body of an admin request against a shape.
import { bodyBytesMax } from '../contract/generated/limits.ts';
import { manyMembersMax, whyNotParsed } from '../http/json-size.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { readQuery } from '../http/query.ts';
import { fail } from './reply.ts';
import { object, type Shape, type Shaped } from './shape.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Answers with what `use` makes of the body, or with one sentence that says what is wrong with it. No body means `{}`.
 */
export function withBody<S extends Shape>(
  { body }: CoreRequest,
  shape: S,
  use: (input: Shaped<S>) => CoreResponse,
): CoreResponse {
  if (body && body.length > bodyBytesMax) return fail(413, `The body is over ${bodyBytesMax} bytes.`);
  let value: unknown = {};
  if (body && body.length > 0) {
    const problem = whyNotParsed(body, manyMembersMax);
    if (problem !== null) return fail(400, `The body ${problem}.`);
    try {
      value = JSON.parse(utf8.decode(body));
    } catch {
      return fail(400, 'The body is not valid JSON in UTF-8.');
    }
  }
  const read = object(shape)(value, 'The body');
  return read.ok ? use(read.value) : fail(400, read.problem);
}

/** The same for the query; where a field takes no text, its text is read as a number or a flag. */
export function withQuery<S extends Shape>(
  { query }: CoreRequest,
  shape: S,
  use: (input: Shaped<S>) => CoreResponse,
): CoreResponse {
  const values = Object.entries(readQuery(query)).map(([name, text]) => [
    name,
    // Every object has a `__proto__`, and no field of that name.
    Object.hasOwn(shape, name) && shape[name]?.(text, name).ok ? text : readScalar(text),
  ]);
  const read = object(shape)(Object.fromEntries(values), 'The body');
  return read.ok ? use(read.value) : fail(400, read.problem.replace('no field', 'no parameter'));
}

/** A query knows texts only; a field that wants a number or a flag gets one. */
function readScalar(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
