// The response of a tool. Payloads are not specified, so a rejection can be a JSON-RPC error, a result with an error
// flag, a tool envelope as text or structure, or an HTTP status. Cites 4.tools.not-shown, 7.envelope.tool.
import { errorStatus } from '../../../src/contract/generated/errors.ts';
import { responseOf } from '../event-stream.ts';
import { type Exchange, isObject, isPlatformTrouble } from '../exchange.ts';
import { readJson } from '../read-json.ts';

/** One response of a tool, parsed leniently; the checks use its exchange. */
export interface Reply {
  readonly exchange: Exchange;
  readonly input: Readonly<Record<string, unknown>>;
  readonly outcome: 'taken' | 'rejected' | 'none';
  /** The `error` of a tool envelope, at any place. */
  readonly envelope: Readonly<Record<string, unknown>> | null;
  /** A code of the contract, from the envelope or from the words of the rejection. */
  readonly code: string | null;
  readonly rpcCode: number | null;
  /** The data that the tool returned, without the envelope around it; undefined where no JSON is found. */
  readonly data: unknown;
  /** In words, for findings. */
  readonly words: string;
}

const codes = Object.keys(errorStatus);

/** From the clearest sign of a rejection to the weakest: a JSON-RPC error, an HTTP status, an error flag. */
export function readReply(exchange: Exchange, input: Readonly<Record<string, unknown>>): Reply {
  const response = responseOf(exchange.json);
  const error = response?.error;
  const result = response?.result;
  if (error !== undefined) return rejection(exchange, input, error);
  if (exchange.status >= 400) return rejection(exchange, input, exchange.json ?? exchange.bodyText);
  if (!isObject(result)) return { ...rejection(exchange, input, null), outcome: 'none' };
  const payload = payloadOf(result);
  if (result.isError === true || (result.isError !== false && isEnvelope(payload)))
    return rejection(exchange, input, result);
  const data = isObject(payload) && payload.data !== undefined ? payload.data : payload;
  return { exchange, input, outcome: 'taken', envelope: null, code: null, rpcCode: null, data, words: 'a result' };
}

/** An error without the requested list: next to a list it reports a partial result. */
function isEnvelope(payload: unknown): boolean {
  if (!isObject(payload)) return false;
  const { error, issues: _, ...rest } = payload;
  const isAlone = !Object.values(rest).some(Array.isArray);
  return isObject(error) && typeof error.code === 'string' && isAlone;
}

/** A code of the contract counts at any place, even in a sentence. */
function rejection(exchange: Exchange, input: Reply['input'], payload: unknown): Reply {
  const envelope = findEnvelope(payload);
  const rpcCode = isObject(payload) && typeof payload.code === 'number' ? payload.code : null;
  const text = JSON.stringify(payload) ?? '';
  const written = typeof envelope?.code === 'string' ? envelope.code : null;
  const code = written ?? codes.find((known) => new RegExp(`\\b${known}\\b`).test(text)) ?? null;
  const how = exchange.status === 200 ? [] : [`HTTP ${exchange.status}`];
  const words = ['a rejection', ...how, ...(rpcCode === null ? [] : [rpcCode]), ...(code === null ? [] : [code])];
  return { exchange, input, outcome: 'rejected', envelope, code, rpcCode, data: undefined, words: words.join(' ') };
}

/** The structured result, or the first text of it that is JSON. */
function payloadOf(result: Readonly<Record<string, unknown>>): unknown {
  if (result.structuredContent !== undefined) return result.structuredContent;
  return textsOf(result)
    .map(parsed)
    .find((value) => typeof value === 'object' && value !== null);
}

/** Other kinds of content, such as images, hold no response. */
function textsOf({ content }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []));
}

/** An object named `error`, or one next to a JSON-RPC code, that has a `code` of words. */
function findEnvelope(payload: unknown): Reply['envelope'] {
  if (!isObject(payload)) return null;
  const places = [payloadOf(payload), payload, payload.data, isObject(payload.data) ? payload.data.error : undefined];
  const inside = places.flatMap((place) => (isObject(place) ? [place.error, place] : []));
  return inside.filter(isObject).find(({ code }) => typeof code === 'string') ?? null;
}

/** Undefined for words. */
function parsed(text: string): unknown {
  return readJson(text).json;
}

/** Rejected because of the input, as far as the response shows the reason. */
export function isInvalid({ outcome, code, rpcCode, exchange }: Reply): boolean {
  if (outcome !== 'rejected') return false;
  if (code !== null) return code === 'invalid_input';
  return rpcCode === -32602 || /-32602|validat/i.test(exchange.bodyText.slice(0, 10_000));
}

/** Rejected for a reason that has nothing to do with the input; null when that is not so. */
export function otherReason(reply: Reply): string | null {
  const { outcome, code, rpcCode, exchange } = reply;
  if (outcome === 'none') return `no response of MCP (HTTP ${exchange.status})`;
  if (outcome === 'taken' || isInvalid(reply)) return null;
  // A session can end at any time; then the endpoint does not recognize it.
  const isSessionGone = exchange.status === 404 && code === null;
  const isFailure = exchange.status >= 500 || isSessionGone || (rpcCode === -32603 && code === null);
  const isOther = code !== null && codes.includes(code);
  return isFailure || isOther || rpcCode === -32601 ? `${reply.words}` : null;
}

/** An error of the server itself, not of a gateway or the platform. */
export function isBreakdown({ exchange, code }: Reply): boolean {
  return exchange.status >= 500 && !isPlatformTrouble(exchange) && (code === null || !codes.includes(code));
}

/** The error value of a tool instead of an envelope; undefined for text and JSON-RPC errors. */
export function errorShown({ exchange }: Reply): { readonly error: unknown } | undefined {
  const result = responseOf(exchange.json)?.result;
  if (!isObject(result) || result.isError !== true) return undefined;
  const payload = payloadOf(result);
  return isObject(payload) && Object.hasOwn(payload, 'error') ? { error: payload.error } : undefined;
}

/** The rows that a tool returned: its data if that is a list, or the only list in it. Otherwise null. */
export function rowsOf({ data }: Reply): readonly unknown[] | null {
  if (Array.isArray(data)) return data;
  const lists = isObject(data) ? Object.values(data).filter(Array.isArray) : [];
  return lists.length === 1 ? (lists[0] ?? null) : null;
}
