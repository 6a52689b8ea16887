// JSON-RPC messages in the answers of the MCP door, which may come as a JSON body or as a stream of events.
import { isObject } from '../exchange/exchange.ts';
import { readJson } from '../exchange/read-json.ts';

/** A JSON-RPC response: a result or an error. */
export type Response = Readonly<Record<string, unknown>>;

/** Parameters such as a charset may follow the type. */
export function isEventStream(contentType: string | undefined): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(contentType ?? '');
}

/** The first response in a stream of events; undefined when there is none. */
export function responseIn(stream: string): Response | undefined {
  return stream
    .split(/\r\n\r\n|\n\n|\r\r/)
    .map(readEvent)
    .find((message) => message !== undefined);
}

/** The response of a JSON body, alone or in a batch. */
export function responseOf(json: unknown): Response | undefined {
  return (Array.isArray(json) ? json : [json]).find(isResponse);
}

/** Told a stream piece by piece, it says when a response has come. */
export function watchForResponse(): (piece: Buffer) => boolean {
  const decoder = new TextDecoder();
  let open = '';
  return (piece) => {
    open += decoder.decode(piece, { stream: true });
    const end = Math.max(...['\n\n', '\r\n\r\n', '\r\r'].map((blank) => open.lastIndexOf(blank)));
    if (end === -1) return false;
    const whole = open.slice(0, end);
    open = open.slice(end);
    return responseIn(whole) !== undefined;
  };
}

/**
 * By the rules of server-sent events: several `data:` lines are one text, and one blank behind the colon is not part of
 * it.
 */
function readEvent(event: string): Response | undefined {
  const data = event
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n');
  return responseOf(readJson(data).json);
}

/** Notifications and requests of the server pass by; a response has one of two members. */
function isResponse(message: unknown): message is Response {
  return isObject(message) && (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'));
}
