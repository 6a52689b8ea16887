// Reads the JSON of an answer, as long as it is not made to hurt: eight megabytes of `{},` are 2.6 million objects, and
// each of them costs far more than its three bytes. Every answer that the contract describes stays far below these
// bounds.
import type { Problem } from './exchange.ts';

/** What was read, and why it was not. */
export interface Read {
  /** `undefined` when there is no JSON to read. */
  readonly json: unknown;
  readonly problem: Extract<Problem, 'none' | 'not-json' | 'too-large'>;
  readonly detail: string | null;
  /** Values and lists in the text, as far as they were counted. */
  readonly values: number;
}

/** Eight megabytes of keywords, the densest rows of the contract, hold fewer. */
export const VALUES_MAX = 500_000;
/**
 * The deepest answer of the contract has six levels; what lies deeper than this is emptied, or recursion would not end
 * well.
 */
export const DEPTH_MAX = 100;

/** Counts before it parses, so that a text made to hurt is refused at the price of one pass. */
export function readJson(text: string, valuesMax = VALUES_MAX): Read {
  const { values, depth } = measure(text, valuesMax);
  if (values > valuesMax) {
    const detail = `the answer holds more than ${valuesMax} values`;
    return { json: undefined, problem: 'too-large', detail, values };
  }
  try {
    const json: unknown = JSON.parse(text);
    return { json: depth > DEPTH_MAX ? shallow(json, DEPTH_MAX) : json, problem: 'none', detail: null, values };
  } catch {
    return { json: undefined, problem: 'not-json', detail: null, values };
  }
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** One pass over the text. A text that is not JSON may count as anything; the parser refuses it afterwards. */
function measure(text: string, valuesMax: number): { values: number; depth: number } {
  let [values, depth, open] = [1, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values += 1;
      open += 1;
      if (open > depth) depth = open;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) open -= 1;
    if (values > valuesMax) break;
  }
  return { values, depth };
}

/** Recursion goes as deep as `levels` and no deeper. */
function shallow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.map((item) => shallow(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shallow(member, levels - 1)]));
}

/** Skips escaped quotes, so that commas inside of texts are not counted. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
