// JSON-RPC messages in the responses of the MCP endpoint, which may come as a JSON body or as a stream of events.
import { isObject } from './exchange.ts';
import { jsonValuesMax, readJson } from './read-json.ts';

export type Response = Readonly<Record<string, unknown>>;

/** Parameters such as a charset may follow the type. */
export function isEventStream(contentType: string | undefined): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(contentType ?? '');
}

/** The first response in a stream of events; undefined if there is no response. */
export function responseIn(stream: string): Response | undefined {
  return readEvents(stream, jsonValuesMax).response;
}

/** The same, with the number of values that were read on the way; an event with more than `valuesMax` holds none. */
export function readEvents(stream: string, valuesMax: number): { response: Response | undefined; values: number } {
  let values = 0;
  for (const event of stream.split(/\r\n\r\n|\n\n|\r\r/)) {
    const read = readJson(dataOf(event), valuesMax);
    values += read.values;
    const response = responseOf(read.json);
    if (response !== undefined) return { response, values };
  }
  return { response: undefined, values };
}

/** The response of a JSON body, alone or in a batch. */
export function responseOf(json: unknown): Response | undefined {
  return (Array.isArray(json) ? json : [json]).find(isResponse);
}

const blanks = ['\n\n', '\r\n\r\n', '\r\r'];
const blankCharactersMax = 3;

/** Reads a stream piece by piece, and reports when a response has arrived. */
export function watchForResponse(): (piece: Buffer) => boolean {
  const decoder = new TextDecoder();
  // The pieces of an event whose end has not come, joined only then: a stream may drip a few bytes at a time.
  let open: string[] = [];
  let tail = '';
  return (piece) => {
    const text = decoder.decode(piece, { stream: true });
    open.push(text);
    const joint = tail + text;
    tail = joint.slice(-blankCharactersMax);
    if (!blanks.some((blank) => joint.includes(blank))) return false;
    const events = open.join('');
    const end = Math.max(...blanks.map((blank) => events.lastIndexOf(blank)));
    open = [events.slice(end)];
    return responseIn(events.slice(0, end)) !== undefined;
  };
}

/** By the rules of server-sent events: several `data:` lines are one text, without one space after the colon. */
function dataOf(event: string): string {
  return event
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n');
}

/** Notifications and requests of the server pass by; a response has one of two fields. */
function isResponse(message: unknown): message is Response {
  return isObject(message) && (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'));
}
