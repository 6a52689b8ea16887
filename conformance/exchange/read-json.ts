// JSON is exchanged as UTF-8, without a byte order mark (RFC 8259). A body in another encoding is decoded if possible,
// so one root cause is one finding, of rule/json.

import { isUtf8 } from 'node:buffer';
import { type JsonSize, sizeOfJson } from '../../src/contract/json.ts';
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
  const valuesIn = ({ commas, opened }: JsonSize) => 1 + commas + opened;
  const isTooLarge = (size: JsonSize) => valuesIn(size) > valuesMax || size.names > namesMax;
  const size = sizeOfJson(new TextEncoder().encode(text), isTooLarge);
  const { depth, names } = size;
  const values = valuesIn(size);
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

/** Recursion is limited to `levels`. */
function shallow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.map((item) => shallow(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shallow(field, levels - 1)]));
}
