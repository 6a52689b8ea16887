// Pure tools of the mutants: a request or a response in, another one out; and edits inside a JSON value by a path such
// as `data.accounts.-1.locked`: field names, positions (`-1` is the last) and `*` for all.
import { parseJson } from '../../contract/json.ts';
import type { CoreRequest, CoreResponse } from '../../http/message.ts';
import { basePath } from '../../http/route.ts';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [field: string]: Json };

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The value that a body holds; undefined when it is not JSON. */
export function readJson(body: string | Uint8Array | null): Json | undefined {
  return parseJson(typeof body === 'string' ? body : decoder.decode(body ?? undefined)) as Json | undefined;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** In code points, as the contract counts (8.length-unit); -1 for values other than strings. */
export const lengthOf = (text: Json | undefined) => (typeof text === 'string' ? [...text].length : -1);
/** In UTF-8: how a server counts that is wrong about length. */
export const bytesOf = (text: Json | undefined) => encoder.encode(String(text)).length;

/** The transport sets the length, so headers stay unchanged. */
export function withJson(response: CoreResponse, value: Json): CoreResponse {
  return { ...response, body: JSON.stringify(value) };
}

/** Edits the JSON of a response; other responses stay unchanged. */
export function onJson(response: CoreResponse, edit: (value: Json) => Json): CoreResponse {
  const value = readJson(response.body);
  return value === undefined ? response : withJson(response, edit(value));
}

export function withStatus(response: CoreResponse, status: number): CoreResponse {
  return { ...response, status };
}

/** A success where the mock has none; limiter headers and date stay. */
export function asSuccess(response: CoreResponse, value: Json): CoreResponse {
  return withJson(withStatus(response, 200), value);
}

/** A rejection in the common envelope, with any status and code. */
export function asRejection(response: CoreResponse, status: number, error: Json): CoreResponse {
  return withJson(withStatus(response, status), { error });
}

/** A rejection that no contract knows: something broke. */
export function asCrash(response: CoreResponse, message = 'Something went wrong.'): CoreResponse {
  return asRejection(response, 500, { code: 'internal_error', message });
}

export function withHeader(response: CoreResponse, name: string, value: string): CoreResponse {
  return { ...response, headers: { ...response.headers, [name]: value } };
}

export function withoutHeader(response: CoreResponse, ...names: string[]): CoreResponse {
  return {
    ...response,
    headers: Object.fromEntries(Object.entries(response.headers).filter(([name]) => !names.includes(name))),
  };
}

/** Edits a header of a response; a response without it stays unchanged. */
export function onHeader(response: CoreResponse, name: string, edit: (value: string) => string): CoreResponse {
  const value = response.headers[name];
  return value === undefined ? response : withHeader(response, name, edit(value));
}

/** The limiter's own 429, as opposed to the platform's. */
export function isBlock(response: CoreResponse): boolean {
  if (response.status !== 429) return false;
  const value = readJson(response.body);
  return isObject(value) && typeof value.error === 'string';
}

/** The request with query parameters set, or taken away by null. */
export function withQuery(request: CoreRequest, changes: Readonly<Record<string, string | null>>): CoreRequest {
  const kept = request.query.split('&').filter((pair) => pair !== '' && !((pair.split('=', 1)[0] ?? '') in changes));
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return { ...request, query: [...kept, ...added].join('&') };
}

/** The request with one segment below the base path replaced, counted from 0. */
export function withSegment(request: CoreRequest, index: number, value: string): CoreRequest {
  const segments = request.path.slice(basePath.length + 1).split('/');
  segments[index] = encodeURIComponent(value);
  return { ...request, path: `${basePath}/${segments.join('/')}` };
}

/** Written again as JSON; a length that the client sent is left, because the mock does not look at it. */
export function withBody(request: CoreRequest, value: Json): CoreRequest {
  return { ...request, body: encoder.encode(JSON.stringify(value)) };
}

/** Undefined takes the header away. */
export function withRequestHeader(request: CoreRequest, name: string, value: string | undefined): CoreRequest {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

const gone = Symbol('gone');

/** A change of a whole JSON value; returns a new one and leaves the given one unchanged. */
export type Edit = (value: Json) => Json;
/** May say that the value is to vanish, which null could not say. */
type InnerEdit = (value: Json) => Json | typeof gone;

export function put(path: string, value: Json): Edit {
  return change(path, () => value);
}

export function drop(path: string): Edit {
  return change(path, () => gone);
}

/** Adds a field, or replaces it, in each object at the path. */
export function add(path: string, fields: Readonly<Record<string, Json>>): Edit {
  return change(path, (value) => (isObject(value) ? { ...value, ...fields } : value));
}

/** Puts a field of the object at the path instead of the object. */
export function lift(path: string, field: string): Edit {
  return change(path, (value) => (isObject(value) ? (value[field] ?? null) : value));
}

export function change(path: string, edit: InnerEdit): Edit {
  const segments = path === '' ? [] : path.split('.');
  return (value) => {
    const edited = walk(value, segments, edit);
    return edited === gone ? null : edited;
  };
}

/** Copies what it goes through: the world's own rows must not be changed by a wrong response. */
function walk(value: Json, [segment, ...rest]: readonly string[], edit: InnerEdit): Json | typeof gone {
  if (segment === undefined) return edit(value);
  if (Array.isArray(value)) {
    const wanted = segment === '*' ? null : Number(segment) < 0 ? value.length + Number(segment) : Number(segment);
    const items = value.map((item, i) => (wanted === null || wanted === i ? walk(item, rest, edit) : item));
    return items.filter((item) => item !== gone);
  }
  if (!isObject(value) || (segment !== '*' && !Object.hasOwn(value, segment))) return value;
  const fields = Object.entries(value).map(
    ([name, field]) => [name, segment === '*' || segment === name ? walk(field, rest, edit) : field] as const,
  );
  return Object.fromEntries(fields.filter((entry): entry is [string, Json] => entry[1] !== gone));
}
