// JSON is exchanged as UTF-8, without a byte order mark (RFC 8259). A body in another encoding is decoded if possible,
// so one root cause is one finding, of rule/json.

import { isUtf8 } from 'node:buffer';
import type { Problem } from './exchange.ts';

export interface Decoded {
  readonly text: string;
  readonly fault: string | null;
}

const faultTexts = {
  mark: 'the body begins with a byte order mark',
  wide: 'the bytes are UTF-16',
  other: 'the bytes are not UTF-8',
} as const;

const faults: ReadonlySet<string> = new Set(Object.values(faultTexts));

/** Whether the detail of an exchange reports its encoding. */
export function isEncodingFault(detail: string | null): detail is string {
  return detail !== null && faults.has(detail);
}

/** Halves of a surrogate pair, each written on its own: a text that JSON can hold, and that UTF-8 cannot (R11). */
const loneHalves = /\xed[\xa0-\xbf][\x80-\xbf]/g;

export function decodeBody(body: Buffer): Decoded {
  const text = body.toString('utf8');
  if (isUtf8(body)) {
    if (text.startsWith('\ufeff')) return { text: text.slice(1), fault: faultTexts.mark };
    const order = orderOf(body);
    return order === null ? { text, fault: null } : { text: wideText(body, order), fault: faultTexts.wide };
  }
  const order = orderOf(body);
  if (order !== null) return { text: wideText(body, order), fault: faultTexts.wide };
  const others = Buffer.from(body.toString('latin1').replace(loneHalves, ''), 'latin1');
  return { text, fault: isUtf8(others) ? null : faultTexts.other };
}

type Order = 'utf-16le' | 'utf-16be';

/** By the mark, or by the first character, which is one of ASCII in every JSON text. */
function orderOf([first, second]: Buffer): Order | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0)
    ? 'utf-16be'
    : null;
}

/** Without the mark. */
function wideText(body: Buffer, order: Order): string {
  return new TextDecoder(order).decode(body);
}

// Reads the JSON of a response, as long as it is not made to hurt: eight megabytes of `{},` are 2.6 million objects,
// and each of them costs far more than its three bytes. Every response that the contract describes stays far below
// these bounds.

export interface Read {
  /** `undefined` when there is no JSON to read. */
  readonly json: unknown;
  readonly problem: Extract<Problem, 'none' | 'not-json' | 'too-large'>;
  readonly detail: string | null;
  /** Number of values and lists in the text, up to the point of failure. */
  readonly values: number;
}

/** Eight megabytes of keywords, the densest rows of the contract, hold fewer. */
export const jsonValuesMax = 500_000;
/**
 * Maximum of distinct field names in one response. Each is stored for the whole run, and a large table is copied as it
 * grows. Records of the contract have a few dozen.
 */
export const namesMax = 20_000;
/** Responses of the contract have six levels; deeper values are emptied to limit recursion. */
export const depthMax = 100;

/** Counts before it parses, so a text made to hurt is rejected at the price of one pass. */
export function readJson(text: string, valuesMax = jsonValuesMax): Read {
  const { values, depth, names } = measure(text, valuesMax);
  const tooLarge = (what: string): Read => {
    return { json: undefined, problem: 'too-large', detail: `the response contains more than ${what}`, values };
  };
  if (values > valuesMax) return tooLarge(`${valuesMax} values`);
  if (names > namesMax) return tooLarge(`${namesMax} different names of fields`);
  try {
    const json: unknown = JSON.parse(text);
    return { json: depth > depthMax ? shallow(json, depthMax) : json, problem: 'none', detail: null, values };
  } catch {
    return { json: undefined, problem: 'not-json', detail: null, values };
  }
}

const [Quote, Comma, Colon, Backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [OpenList, CloseList, OpenObject, CloseObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Size of a text. A text that is not JSON may count as anything; the parser rejects it afterwards. */
function measure(text: string, valuesMax: number): { values: number; depth: number; names: number } {
  let [values, depth, open] = [1, 0, 0];
  // Of the last text, which is a name when a colon comes.
  let [start, end] = [0, 0];
  const names = makeNames();
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === Quote) {
      start = at;
      at = endOfString(text, at);
      end = at;
    } else if (code === Colon) names.add(text, start, end);
    else if (code === Comma) values += 1;
    else if (code === OpenList || code === OpenObject) {
      values += 1;
      open += 1;
      if (open > depth) depth = open;
    } else if (code === CloseList || code === CloseObject) open -= 1;
    if (values > valuesMax || names.count() > namesMax) break;
  }
  return { values, depth, names: names.count() };
}

const marks = 1 << 17;
/** The last letters distinguish names with equal beginnings. */
const charactersMarked = 64;

/** Counts different names, or a few less: two that share a mark count once. */
function makeNames() {
  const seen = new Uint8Array(marks / 8);
  let count = 0;
  return {
    count: () => count,
    add(text: string, start: number, end: number) {
      let mark = 0x811c9dc5 ^ (end - start);
      for (let at = Math.max(start, end - charactersMarked); at < end; at += 1) {
        mark = Math.imul(mark ^ text.charCodeAt(at), 0x01000193);
      }
      mark = (mark ^ (mark >>> 15)) & (marks - 1);
      const bit = 1 << (mark & 7);
      if (((seen[mark >>> 3] as number) & bit) !== 0) return;
      seen[mark >>> 3] = (seen[mark >>> 3] as number) | bit;
      count += 1;
    },
  };
}

/** Recursion is limited to `levels`. */
function shallow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.map((item) => shallow(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shallow(field, levels - 1)]));
}

/** Skips escaped quotes, so commas inside of texts are not counted. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== Quote) at += text.charCodeAt(at) === Backslash ? 2 : 1;
  return at;
}
