// A text with its escapes undone, and for each character the place that it came from. A reader of a report undoes
// escapes without a thought, and so do reports where they show JSON in lines; a secret must not come out of that.

/** One round of decoding, with a map to the original. */
export interface Decoded {
  readonly text: string;
  /** The place in the original of the character at a place of `text`, its end included. */
  at(index: number): number;
}

/**
 * `\u0063`, `\x63`, `\n`, `%63`, `&#99;`, `&#x63;`, `&amp;`: JSON, JavaScript, URLs and HTML. UTF-16 and UTF-32
 * that are read as UTF-8 have a zero next to each ASCII character.
 */
const escapes =
  /\\u\{([\da-f]{1,6})\}|\\u([\da-f]{4})|\\x([\da-f]{2})|%([\da-f]{2})|&#x([\da-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos);|\\(["'\\/bfnrt])/;
const escapePattern = new RegExp(`\0|${escapes.source}`, 'gi');
const mayHaveEscapes = /[\\%&\0]/;
/** An escape can be escaped again; more rounds are not accidental. */
const roundsMax = 4;

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const short: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The text itself, and the result of each further round of decoding. */
export function decodings(text: string): Decoded[] {
  const rounds: Decoded[] = [{ text, at: (index) => index }];
  for (let round = 0; round < roundsMax; round += 1) {
    const last = rounds.at(-1) as Decoded;
    const next = mayHaveEscapes.test(last.text) ? decodeOnce(last) : null;
    if (next === null) break;
    rounds.push(next);
  }
  return rounds;
}

function decodeOnce(before: Decoded): Decoded | null {
  const parts: string[] = [];
  // Where each piece begins in the new text and in the one before; between two of these the places run in step.
  const starts = [0];
  const origins = [0];
  let [length, from] = [0, 0];
  for (const match of before.text.matchAll(escapePattern)) {
    const character = characterOf(match);
    if (character === null) continue;
    const end = match.index + match[0].length;
    parts.push(before.text.slice(from, match.index), character);
    length += match.index - from;
    starts.push(length, length + character.length);
    origins.push(match.index, end);
    length += character.length;
    from = end;
  }
  if (parts.length === 0) return null;
  parts.push(before.text.slice(from));
  return { text: parts.join(''), at: (index) => before.at(placeBefore(index, starts, origins)) };
}

/** The last piece that begins at or before the place, found by halving. */
function placeBefore(index: number, starts: readonly number[], origins: readonly number[]): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return (origins[low] ?? 0) + index - (starts[low] ?? 0);
}

function characterOf(match: RegExpMatchArray): string | null {
  if (match[0] === '\0') return '';
  const [, braced, unicode, byte, percent, hexEntity, decimal, name, letter] = match;
  if (name !== undefined) return named[name.toLowerCase()] ?? null;
  if (letter !== undefined) return short[letter] ?? letter;
  const hex = braced ?? unicode ?? byte ?? percent ?? hexEntity;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : null;
}
