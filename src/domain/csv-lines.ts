// The lines of a csv text (RFC 4180): values between commas, with quotes around a value that contains commas, quotes or
// line ends, and inner quotes doubled. One pass finds the lines; values are copied on demand. A body of a million
// commas, or twenty thousand lines of twenty columns, must not block the mock.

const comma = 44;
const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;
const byteOrderMark = 0xfeff;

/** A text and the places of its lines. A line may span several lines of the text where a quoted value holds ends. */
export class CsvText {
  /** How many lines there are; empty ones do not count. */
  readonly count: number;
  /** The line of the text that cannot be read; null when all can. */
  readonly brokenAt: number | null;
  readonly #scanner: Scanner;
  readonly #starts: Uint32Array;
  readonly #numbers: Uint32Array;
  readonly #valueCounts: Uint32Array;

  /**
   * Lines above `linesMax` are counted, and nothing is known of them. Linear in the text. A text that breaks is read no
   * further, since a quote out of place leaves the rest without meaning.
   */
  constructor(text: string, linesMax: number) {
    const scanner = new Scanner(text);
    const [starts, numbers, valueCounts] = places(Math.min(linesMax, text.length));
    let count = 0;
    while (scanner.at < text.length && !scanner.isBroken) {
      const start = scanner.at;
      const values = scanner.countValues();
      // An empty line.
      if (scanner.at > start && !scanner.isBroken) {
        if (count < linesMax) {
          starts[count] = start;
          numbers[count] = scanner.number;
          valueCounts[count] = values;
        }
        count += 1;
      }
      scanner.endLine();
    }
    this.count = count;
    this.brokenAt = scanner.isBroken ? scanner.number : null;
    this.#scanner = scanner;
    this.#starts = starts.slice(0, count);
    this.#numbers = numbers.slice(0, count);
    this.#valueCounts = valueCounts.slice(0, count);
  }

  /** The number of the line in the text on which it ends, from 1 on. */
  numberOf(line: number): number {
    return this.#numbers[line] as number;
  }

  /** How many values a line has. */
  widthOf(line: number): number {
    return this.#valueCounts[line] as number;
  }

  /** The first values of a line, as many as asked for. */
  values(line: number, max: number): string[] {
    const scanner = this.#scanner;
    const values: string[] = [];
    const width = Math.min(max, this.widthOf(line));
    scanner.at = this.#starts[line] as number;
    while (values.length < width) {
      scanner.next();
      values.push(scanner.value());
    }
    return values;
  }

  /** One value of a line. */
  value(line: number, column: number): string {
    const scanner = this.#scanner;
    scanner.at = this.#starts[line] as number;
    for (let i = 0; i <= column; i += 1) scanner.next();
    return scanner.value();
  }
}

function places(length: number): [Uint32Array, Uint32Array, Uint32Array] {
  return [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)];
}

/** Finds one value after the other. It keeps their places and makes no object for any of them. */
class Scanner {
  /** Where the next value begins; behind `countValues`, where the line ends. */
  at: number;
  /** The line of the text, from 1 on. */
  number = 1;
  /** Whether a quote is not closed, or stands amid a value. */
  isBroken = false;
  readonly #text: string;
  #start = 0;
  #end = 0;
  #hasDoubledQuotes = false;

  constructor(text: string) {
    this.#text = text;
    this.at = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
  }

  /** Moves to the end of the line and returns the number of its values. Lines without quotes take a fast path. */
  countValues(): number {
    const text = this.#text;
    let count = 1;
    for (let at = this.at; ; at += 1) {
      const code = at < text.length ? text.charCodeAt(at) : lineFeed;
      if (code === comma) count += 1;
      else if (code === quote) return this.#countQuoted();
      else if (code === lineFeed || code === carriageReturn) {
        this.at = at;
        return count;
      }
    }
  }

  /** Moves after the next value. Returns whether a comma follows; false for a misplaced quote too. */
  next(): boolean {
    const text = this.#text;
    this.#hasDoubledQuotes = false;
    const isQuoted = text.charCodeAt(this.at) === quote;
    this.#start = isQuoted ? this.at + 1 : this.at;
    this.#end = isQuoted ? this.#findQuote(this.#start) : this.#findEnd(this.#start);
    const behind = isQuoted ? this.#end + 1 : this.#end;
    this.isBroken = this.#end === -1 || (behind < text.length && !isSeparator(text.charCodeAt(behind)));
    this.at = behind + 1;
    return !this.isBroken && text.charCodeAt(behind) === comma;
  }

  /** The value that `next` stopped at; only here is anything copied. */
  value(): string {
    const value = this.#text.slice(this.#start, this.#end);
    return this.#hasDoubledQuotes ? value.replaceAll('""', '"') : value;
  }

  /** Behind the end of a line, both halves of it where it has two. */
  endLine(): void {
    const text = this.#text;
    if (text.charCodeAt(this.at) === carriageReturn && text.charCodeAt(this.at + 1) === lineFeed) this.at += 1;
    this.at += 1;
    if (!this.isBroken) this.number += 1;
  }

  #countQuoted(): number {
    let count = 1;
    while (this.next()) count += 1;
    this.at -= 1;
    return count;
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

  /** Returns the position of the closing quote, after doubled ones; -1 without one. */
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
