// Checks a JSON text before it is parsed: one of a million levels or values, or of a hundred thousand different names,
// takes up to half a second to parse and blocks other responses. The contract's own bodies have three levels and four
// fields, and its largest import has five thousand rows.

/** The largest numbers in a text that is parsed. */
interface SizeLimits {
  readonly levels: number;
  readonly values: number;
  readonly fields: number;
  readonly names: number;
}

const usual: SizeLimits = { levels: 10_000, values: 200_000, fields: 40_000, names: 2_000 };
/** Where imports and worlds come in: the largest import has 5,000 rows of 24 fields. */
export const manyFields: SizeLimits = { ...usual, fields: 120_000 };
/** For a response of a mock, which can be a whole world. */
export const anyWidth: SizeLimits = { levels: 1_000, values: Infinity, fields: Infinity, names: Infinity };

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;

/** Why the text is not parsed, as the end of a sentence; null when it may be. */
export function whyNotParsed(json: Uint8Array, most = usual): string | null {
  // Each level, value and field takes a byte at least: nearly always there is nothing to look at.
  if (json.length <= most.levels) return null;
  let levels = 0;
  let values = 0;
  let fields = 0;
  // The last text, which is a name when a colon comes.
  let [start, end] = [0, 0];
  const names = new Names();
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i] as number;
    if (byte === quote) {
      start = i + 1;
      i = endOfString(json, start);
      end = i;
    } else if (byte === comma) values += 1;
    else if (byte === colon) {
      fields += 1;
      names.add(json, start, end);
    }
    // The brackets of lists and objects differ from one another in one bit only: `[` and `{`, `]` and `}`.
    else if ((byte | 0x20) === 0x7b) levels += 1;
    else if ((byte | 0x20) === 0x7d) levels -= 1;
    if (levels > most.levels) return `is nested more than ${most.levels.toLocaleString('en')} levels deep`;
    if (values > most.values) return `has more than ${most.values.toLocaleString('en')} values`;
    if (fields > most.fields) return `has more than ${most.fields.toLocaleString('en')} fields`;
    if (names.count > most.names) return `has more than ${most.names.toLocaleString('en')} different names of fields`;
  }
  return null;
}

const slots = 1 << 17;
const lettersMarked = 64;

/** How many different names there are, or a few less: two that share a mark count once. */
class Names {
  count = 0;
  readonly #seen = new Uint8Array(slots / 8);

  add(json: Uint8Array, start: number, end: number): void {
    let mark = 0x811c9dc5 ^ (end - start);
    const from = Math.max(start, end - lettersMarked);
    for (let i = from; i < end; i += 1) mark = Math.imul(mark ^ (json[i] as number), 0x01000193);
    mark = (mark ^ (mark >>> 15)) & (slots - 1);
    const bit = 1 << (mark & 7);
    const byte = this.#seen[mark >>> 3] as number;
    if (byte & bit) return;
    this.#seen[mark >>> 3] = byte | bit;
    this.count += 1;
  }
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
