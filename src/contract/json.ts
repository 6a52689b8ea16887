/** The value of a JSON text, or `otherwise` for any other text. */
export function parseJson(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Whether a JSON value is an object, and not a list or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text, or else the text. Throws a SyntaxError for a text that begins as JSON and is not. */
export function jsonOrText(text: string): unknown {
  const value = parseJson(text, text);
  if (value !== text || !/^\s*[{["]/.test(text)) return value;
  throw new SyntaxError('is not valid JSON. To send it unchanged, write it as a JSON string.');
}

// The size of a JSON text, counted before it is parsed: one of a million levels, values or different names costs far
// more than its bytes.

/** Of a text, up to where the counting ended. A text that is not JSON may count as anything; the parser rejects it. */
export interface JsonSize {
  commas: number;
  /** Lists and objects. */
  opened: number;
  /** Of these, not closed yet. */
  levels: number;
  depth: number;
  fields: number;
  /** How many different names there are, or a few less: two that share a mark count once. */
  names: number;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;

/** Ends as soon as `isTooLarge`. */
export function sizeOfJson(json: Uint8Array, isTooLarge: (size: JsonSize) => boolean): JsonSize {
  const size: JsonSize = { commas: 0, opened: 0, levels: 0, depth: 0, fields: 0, names: 0 };
  // The last text, which is a name when a colon comes.
  let [start, end] = [0, 0];
  const isNew = makeNames();
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i] as number;
    if (byte === quote) {
      start = i + 1;
      i = endOfString(json, start);
      end = i;
      continue;
    }
    if (byte === comma) size.commas += 1;
    else if (byte === colon) {
      size.fields += 1;
      if (isNew(json, start, end)) size.names += 1;
    }
    // The brackets of lists and objects differ from one another in one bit only: `[` and `{`, `]` and `}`.
    else if ((byte | 0x20) === 0x7b) {
      size.opened += 1;
      size.levels += 1;
      if (size.levels > size.depth) size.depth = size.levels;
    } else if ((byte | 0x20) === 0x7d) size.levels -= 1;
    else continue;
    if (isTooLarge(size)) break;
  }
  return size;
}

const slots = 1 << 17;
/** The last letters distinguish names with equal beginnings. */
const lettersMarked = 64;

function makeNames() {
  const seen = new Uint8Array(slots / 8);
  return (json: Uint8Array, start: number, end: number): boolean => {
    let mark = 0x811c9dc5 ^ (end - start);
    for (let i = Math.max(start, end - lettersMarked); i < end; i += 1)
      mark = Math.imul(mark ^ (json[i] as number), 0x01000193);
    mark = (mark ^ (mark >>> 15)) & (slots - 1);
    const bit = 1 << (mark & 7);
    const byte = seen[mark >>> 3] as number;
    seen[mark >>> 3] = byte | bit;
    return (byte & bit) === 0;
  };
}

function endOfString(json: Uint8Array, start: number): number {
  for (let end = json.indexOf(quote, start); end !== -1; end = json.indexOf(quote, end + 1)) {
    let first = end;
    while (json[first - 1] === backslash) first -= 1;
    // Of an even number of backslashes each escapes the next, so the quote is not escaped.
    if (first < start || (end - first) % 2 === 0) return end;
  }
  return json.length;
}
