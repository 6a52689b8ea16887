// Contacts from a csv text: the first line names the columns, and which column holds what is our assumption (choice
// C144). Cites 8.import.csv-contacts.
import { csvContactsMax } from '../contract/generated/limits.ts';
import { contactOf, readRows, SentContacts } from './contacts.ts';
import { invalidInput, type Outcome, ok } from './outcome.ts';

/** Spellings of the known columns, without case, blanks and punctuation. */
const knownColumns: Readonly<Record<string, string>> = {
  ...{ phone: 'phone', phonenumber: 'phone', telephone: 'phone', tel: 'phone', mobile: 'phone', number: 'phone' },
  ...{ name: 'name', fullname: 'name', contactname: 'name', email: 'email', emailaddress: 'email', mail: 'email' },
};

/** No list of contacts has more, and each would have to be looked at. */
const columnsMax = 1000;

/**
 * Returns the contacts of a csv with their line numbers, or the reason for its rejection. Phone numbers are checked
 * later, as for rows.
 */
export function readCsv(csv: string): Outcome<SentContacts> {
  const { lines, count, brokenAt } = readLines(csv);
  if (brokenAt !== null) {
    const message = `Line ${brokenAt} of the csv cannot be read: a quote is not closed, or is inside a value.`;
    return rejectCsv(message, 'csv');
  }
  const [header, ...records] = lines;
  if (header === undefined) return rejectCsv('The csv is empty; its first line has to name the columns.', 'header');
  const columns = valuesOf(header, columnsMax).map(columnName);
  const problem = findHeaderProblem(header.width, columns);
  if (problem !== null) return rejectCsv(problem, 'header');
  if (count > csvContactsMax + 1) {
    const most = csvContactsMax.toLocaleString('en');
    return rejectCsv(`The csv has ${count - 1} contacts; one call accepts at most ${most}.`, 'maxItems');
  }
  // Each bad line by itself: a person mends a file by line numbers.
  const broken = records.filter(({ width }) => width !== columns.length);
  if (broken.length > 0)
    return invalidInput(
      broken.map(({ number, width }) => {
        const message = `Line ${number} of the csv has ${width} values instead of ${columns.length}.`;
        return { path: '/csv', message, rule: 'columns' };
      }),
    );
  const at = columns.indexOf('phone');
  const contact = (index: number) => {
    const values = valuesOf(records[index] as Line);
    return contactOf(Object.fromEntries(columns.map((column, place) => [column, values[place]])));
  };
  const placeOf = (index: number) => ({ path: '/csv', words: `Line ${records[index]?.number} of the csv` });
  return ok(
    new SentContacts(
      records.map((line) => valuesOf(line, at + 1)[at]),
      contact,
      placeOf,
    ),
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

function valuesOf({ values }: Line, max?: number): readonly string[] {
  return typeof values === 'string' ? values.split(',', max) : values.slice(0, max);
}

/** Counted without making the values. */
function widthOf(values: Line['values']): number {
  if (typeof values !== 'string') return values.length;
  let width = 1;
  for (let at = values.indexOf(','); at !== -1; at = values.indexOf(',', at + 1)) width += 1;
  return width;
}

/** A value and what follows it; after a quote that is not closed or stands amid a value nothing matches. */
const value = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|[\r\n]|$)/y;
const plainLine = /([^"\r\n]*)(?:\r\n|[\r\n]|$)/y;
const byteOrderMark = 0xfeff;

/** Lines above the limit are only counted. A text that breaks is read no further. */
function readLines(text: string): { lines: Line[]; count: number; brokenAt: number | null } {
  const lines: Line[] = [];
  let [at, count] = [text.charCodeAt(0) === byteOrderMark ? 1 : 0, 0];
  for (let number = 1; at < text.length; number += 1) {
    plainLine.lastIndex = at;
    const [whole = '', plain = ''] = plainLine.exec(text) ?? [];
    const quoted = whole === '' ? readQuoted(text, at) : null;
    number += quoted?.lineFeeds ?? 0;
    if (quoted?.end === null) return { lines, count, brokenAt: number };
    at = quoted?.end ?? at + whole.length;
    if (quoted === null && plain === '') continue;
    count += 1;
    const values = quoted?.values ?? plain;
    if (count <= csvContactsMax + 1) lines.push({ number, width: widthOf(values), values });
  }
  return { lines, count, brokenAt: null };
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
