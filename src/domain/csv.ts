// Contacts from a csv text: the first line names the columns, and which column holds what is our assumption (choice
// C144). Cites 8.import.csv-contacts.
import { csvContactsMax } from '../contract/generated/limits.ts';
import { define, readRows, type SentContact, SentContacts } from './contacts.ts';
import { type Issue, invalidInput, type Outcome, ok } from './outcome.ts';

/** Spellings of the known columns, without case, blanks and punctuation. */
const knownColumns: Readonly<Record<string, string>> = {
  ...{ phone: 'phone', phonenumber: 'phone', telephone: 'phone', tel: 'phone', mobile: 'phone', number: 'phone' },
  ...{ name: 'name', fullname: 'name', contactname: 'name', email: 'email', emailaddress: 'email', mail: 'email' },
};

/** No list of contacts has more, and each would have to be looked at. */
const columnsMax = 1000;

/**
 * Returns the contacts of a csv with their line numbers, or the reason for its rejection. Phone numbers are checked
 * later, as for rows. A line becomes a contact on its first read.
 */
export function readCsv(csv: string): Outcome<SentContacts> {
  // One line more than may hold contacts: it is the header.
  const text = new CsvText(csv, csvContactsMax + 1);
  if (text.brokenAt !== null) {
    const message = `Line ${text.brokenAt} of the csv cannot be read: a quote is not closed, or is inside a value.`;
    return rejectCsv(message, 'csv');
  }
  if (text.count === 0) return rejectCsv('The csv is empty; its first line has to name the columns.', 'header');
  const columns = text.values(0, columnsMax).map(columnName);
  const problem = findHeaderProblem(text.widthOf(0), columns);
  if (problem !== null) return rejectCsv(problem, 'header');
  const count = text.count - 1;
  if (count > csvContactsMax) {
    const most = csvContactsMax.toLocaleString('en');
    return rejectCsv(`The csv has ${count} contacts; one call accepts at most ${most}.`, 'maxItems');
  }
  const broken = findBroken(text, columns.length);
  if (broken.length > 0) return invalidInput(broken);
  const places = placeColumns(columns);
  return ok(
    new SentContacts({
      count,
      phone: (index) => text.values(index + 1, places.phone + 1).at(-1),
      contact: (index) => toContact(text.values(index + 1, columns.length), places),
      placeOf: (index) => ({ path: '/csv', words: `Line ${text.numberOf(index + 1)} of the csv` }),
    }),
  );
}

/** An unknown column keeps its own spelling: its values are kept under that name. */
function columnName(text: string): string {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return Object.hasOwn(knownColumns, plain) ? (knownColumns[plain] as string) : text.trim();
}

/** null when every column has one name and one of them is the phone. */
function findHeaderProblem(count: number, columns: readonly string[]): string | null {
  if (count > columnsMax)
    return `The first line of the csv names ${count} columns; at most ${columnsMax} are accepted.`;
  const seen = new Set<string>();
  const twice = columns.find((column) => seen.size === seen.add(column).size);
  if (twice !== undefined) return `The first line of the csv names the column "${twice.slice(0, 40)}" twice.`;
  if (seen.has('phone')) return null;
  return 'The first line of the csv has to name the columns, and one of them must be phone.';
}

function rejectCsv(message: string, rule: string): Outcome<never> {
  return invalidInput([{ path: '/csv', message, rule }]);
}

/** Each bad line by itself: a person mends a file by line numbers. */
function findBroken(text: CsvText, columns: number): Issue[] {
  const issues: Issue[] = [];
  for (let line = 1; line < text.count; line += 1) {
    const width = text.widthOf(line);
    if (width === columns) continue;
    const message = `Line ${text.numberOf(line)} of the csv has ${width} values instead of ${columns}.`;
    issues.push({ path: '/csv', message, rule: 'columns' });
  }
  return issues;
}

/** Where the values of a line go. */
interface Columns {
  readonly phone: number;
  readonly name: number;
  readonly email: number;
  readonly fields: readonly (readonly [name: string, index: number])[];
}

function placeColumns(columns: readonly string[]): Columns {
  const [phone, name, email] = ['phone', 'name', 'email'].map((column) => columns.indexOf(column)) as [
    number,
    number,
    number,
  ];
  const others = columns.map((column, index) => [column, index] as const);
  return { phone, name, email, fields: others.filter(([, index]) => ![phone, name, email].includes(index)) };
}

function toContact(values: readonly string[], { phone, name, email, fields }: Columns): SentContact {
  const kept: Record<string, string> = {};
  for (const [column, index] of fields) {
    const value = values[index];
    if (value) define(kept, column, value);
  }
  return { phone: values[phone], name: values[name], email: values[email], fields: kept };
}

// An import as sent. A change of the world keeps it unchanged: writing twenty thousand contacts of twenty columns would
// take as long as the rest of the import.

export type Sent = { readonly csv: string } | { readonly rows: readonly Readonly<Record<string, unknown>>[] };

/** Caches the contacts between the check and the import. */
const known = new WeakMap<Sent, Outcome<SentContacts>>();

/** The contacts of an import, or why they are rejected; whether the phone numbers are good is checked later. */
export function readSent(sent: Sent): Outcome<SentContacts> {
  const before = known.get(sent);
  if (before) return before;
  const read = 'csv' in sent ? readCsv(sent.csv) : ok(readRows(sent.rows));
  known.set(sent, read);
  return read;
}

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

class CsvText {
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
