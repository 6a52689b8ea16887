// The lines of a csv text (RFC 4180): values between commas, with quotes around a value that contains commas, quotes or
// line ends, and inner quotes doubled. A line without quotes is split into its values on demand: twenty thousand lines
// of twenty columns must not block the mock.

/** A line that is not empty. It may span several lines of the text where a quoted value holds ends. */
interface Line {
  /** The number of the line in the text on which it ends, from 1 on. */
  readonly number: number;
  readonly width: number;
  /** The line itself where it has no quote. */
  readonly values: string | readonly string[];
}

/** A value and what follows it; after a quote that is not closed or stands amid a value nothing matches. */
const value = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|[\r\n]|$)/y;
const plainLine = /([^"\r\n]*)(?:\r\n|[\r\n]|$)/y;
const byteOrderMark = 0xfeff;

export class CsvText {
  /** How many lines there are; empty ones do not count. */
  readonly count: number;
  /** The line of the text that cannot be read; null when all can. */
  readonly brokenAt: number | null;
  readonly #lines: Line[] = [];

  /** Lines above `linesMax` are counted, and nothing is known of them. A text that breaks is read no further. */
  constructor(text: string, linesMax: number) {
    let at = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
    let [count, number, isBroken] = [0, 1, false];
    for (; at < text.length && !isBroken; number += isBroken ? 0 : 1) {
      plainLine.lastIndex = at;
      const [whole = '', plain = ''] = plainLine.exec(text) ?? [];
      const quoted = whole === '' ? readQuoted(text, at) : null;
      isBroken = quoted?.end === null;
      number += quoted?.lineFeeds ?? 0;
      at = quoted?.end ?? at + whole.length;
      if (isBroken || (quoted === null && plain === '')) continue;
      const values = quoted?.values ?? plain;
      if (count < linesMax) this.#lines.push({ number, width: widthOf(values), values });
      count += 1;
    }
    this.count = count;
    this.brokenAt = isBroken ? number : null;
  }

  /** The number of the line in the text on which it ends, from 1 on. */
  numberOf(line: number): number {
    return this.#at(line).number;
  }

  /** How many values a line has. */
  widthOf(line: number): number {
    return this.#at(line).width;
  }

  /** The first values of a line, as many as asked for. */
  values(line: number, max: number): readonly string[] {
    const { values } = this.#at(line);
    return typeof values === 'string' ? values.split(',', max) : values.slice(0, max);
  }

  #at(line: number): Line {
    return this.#lines[line] as Line;
  }
}

/** Counted without making the values. */
function widthOf(values: Line['values']): number {
  if (typeof values !== 'string') return values.length;
  let width = 1;
  for (let at = values.indexOf(','); at !== -1; at = values.indexOf(',', at + 1)) width += 1;
  return width;
}

/** A line with quotes; `end` is null where it cannot be read. */
function readQuoted(text: string, start: number) {
  const values: string[] = [];
  let lineFeeds = 0;
  value.lastIndex = start;
  for (;;) {
    const found = value.exec(text);
    if (!found) return { values, lineFeeds, end: null };
    const [, quoted, plain = '', separator] = found;
    values.push(quoted?.replaceAll('""', '"') ?? plain);
    if (quoted !== undefined) lineFeeds += quoted.split('\n').length - 1;
    if (separator !== ',') return { values, lineFeeds, end: value.lastIndex };
  }
}
