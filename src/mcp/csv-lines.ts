// The lines of a csv text (RFC 4180): values between commas, quotes around a value that holds commas, quotes or line
// ends, a quote inside them doubled. One pass over the text, and nothing is copied that is not asked for: a body of a
// million commas must not stop the mock.

/** A line of values, which may span several lines of the text where a quoted value holds line ends. */
export interface CsvLine {
  /** The values, as many as were asked for. */
  readonly values: readonly string[];
  /** How many values the line has. */
  readonly count: number;
  /** The number of the line in the text on which it ends. */
  readonly number: number;
}

/** What was kept of a text, and what was only counted. */
export interface CsvText {
  readonly lines: readonly CsvLine[];
  /** How many lines there are; empty ones do not count. */
  readonly count: number;
  /** The line that cannot be read; null when all can. */
  readonly brokenAt: number | null;
}

export interface CsvOptions {
  /** Further lines and values are counted and not kept. */
  readonly linesMax: number;
  readonly valuesMax: number;
}

const comma = 44;
const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;
const byteOrderMark = 0xfeff;

/**
 * Linear in the text: `at` only moves forward. A text that breaks is read no further, since a quote out of place leaves
 * the rest without meaning.
 */
export function readCsvLines(text: string, { linesMax, valuesMax }: CsvOptions): CsvText {
  const scanner = new Scanner(text);
  const lines: CsvLine[] = [];
  let count = 0;
  while (scanner.at < text.length) {
    const start = scanner.at;
    const kept = count < linesMax ? valuesMax : 0;
    const values: string[] = [];
    let valueCount = 0;
    do {
      if (!scanner.next()) return { lines, count, brokenAt: scanner.number };
      if (valueCount < kept) values.push(scanner.value());
      valueCount += 1;
    } while (scanner.isFollowedByValue);
    const isEmpty = scanner.at === start + 1;
    if (!isEmpty && count < linesMax) lines.push({ values, count: valueCount, number: scanner.number });
    if (!isEmpty) count += 1;
    scanner.endLine();
  }
  return { lines, count, brokenAt: null };
}

/** Finds one value after the other. It keeps their places and makes no object for any of them. */
class Scanner {
  /** Where the next value begins. */
  at: number;
  /** The line of the text, from 1 on. */
  number = 1;
  /** Whether a comma stood behind the last value. */
  isFollowedByValue = false;
  readonly #text: string;
  #start = 0;
  #end = 0;
  #hasDoubledQuotes = false;

  constructor(text: string) {
    this.#text = text;
    this.at = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
  }

  /** Moves behind the next value; false for a quote that is not closed or that stands amid a value. */
  next(): boolean {
    const text = this.#text;
    this.#hasDoubledQuotes = false;
    const isQuoted = text.charCodeAt(this.at) === quote;
    this.#start = isQuoted ? this.at + 1 : this.at;
    this.#end = isQuoted ? this.#findQuote(this.#start) : this.#findEnd(this.#start);
    if (this.#end === -1) return false;
    const behind = isQuoted ? this.#end + 1 : this.#end;
    if (behind < text.length && !isSeparator(text.charCodeAt(behind))) return false;
    this.isFollowedByValue = text.charCodeAt(behind) === comma;
    this.at = behind + 1;
    return true;
  }

  /** The value that `next` stopped at; only here is anything copied. */
  value(): string {
    const value = this.#text.slice(this.#start, this.#end);
    return this.#hasDoubledQuotes ? value.replaceAll('""', '"') : value;
  }

  /** Behind the last value of a line: the second half of its end, where it has one. */
  endLine(): void {
    const text = this.#text;
    if (text.charCodeAt(this.at - 1) === carriageReturn && text.charCodeAt(this.at) === lineFeed) this.at += 1;
    this.number += 1;
  }

  /** Where a value without quotes ends; -1 for a quote inside it. */
  #findEnd(start: number): number {
    const text = this.#text;
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) return -1;
      if (isSeparator(code)) return at;
    }
    return text.length;
  }

  /** Where the closing quote is, past doubled ones; -1 when there is none. */
  #findQuote(start: number): number {
    const text = this.#text;
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === lineFeed) this.number += 1;
      if (code !== quote) continue;
      if (text.charCodeAt(at + 1) !== quote) return at;
      this.#hasDoubledQuotes = true;
      at += 1;
    }
    return -1;
  }
}

function isSeparator(code: number): boolean {
  return code === comma || code === lineFeed || code === carriageReturn;
}
