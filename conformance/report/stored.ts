// How an exchange is kept in a report. Off this machine bodies are customer data: shape, size and hash are kept, and
// the failing value stands in the finding.
import type { Exchange } from '../exchange/exchange.ts';
import { isObject } from '../exchange/exchange.ts';
import { isDataName } from '../exchange/personal.ts';

/** An exchange without what a report must not, or need not, keep. */
export interface StoredExchange extends Omit<Exchange, 'bodyText' | 'json' | 'requestBody' | 'door'> {
  readonly requestBody: { readonly text: string | null; readonly bytes: number };
  /** The body as it came, when bodies are kept. */
  readonly bodyText: string | null;
  /** The body with every value replaced by its type, when bodies are not kept. */
  readonly bodyShape: unknown;
}

/** The one place where bodies are dropped: whatever is stored may be shown once it is redacted. */
export function store(exchange: Exchange, keepBodies: boolean): StoredExchange {
  const {
    json,
    bodyText,
    requestBody,
    door: _door,
    ...rest
  } = { ...exchange, headers: withoutCookies(exchange.headers) };
  if (keepBodies) return { ...rest, requestBody, bodyText, bodyShape: null };
  // An error envelope holds no customer data, and without it a refusal cannot be read.
  const isError = exchange.status >= 400 && isObject(json);
  return {
    ...rest,
    requestBody,
    bodyText: isError ? bodyText : null,
    bodyShape: isError || json === undefined ? null : shapeOf(json, 0),
  };
}

/** A cookie opens a session, and tells nothing about the contract. */
function withoutCookies(headers: Exchange['headers']): Exchange['headers'] {
  return headers['set-cookie'] === undefined ? headers : { ...headers, 'set-cookie': '(not kept)' };
}

const DEPTH_MAX = 8;
const MEMBERS_MAX = 60;

/** `{ "id": "string" }`: a list shows its first item and its length, so that nothing of the data is left. */
function shapeOf(value: unknown, depth: number): unknown {
  if (value === null) return 'null';
  if (depth > DEPTH_MAX) return '…';
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0], depth + 1), `× ${value.length}`];
  if (!isObject(value)) return typeof value;
  const members = Object.entries(value).slice(0, MEMBERS_MAX);
  // A map is shown by its first entry, because its names are data.
  if (members.some(([name]) => isDataName(name))) return { '<name>': shapeOf(members[0]?.[1], depth + 1) };
  return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member, depth + 1)]));
}
