// Contacts from a csv text: the first line names the columns, and which column holds what is our assumption (choice
// C144). Cites 8.import.csv-contacts.
import { csvContactsMax } from '../contract/generated/limits.ts';
import { define, type SentContact, type SentContacts } from '../domain/contacts.ts';
import { invalidInput, type Outcome, ok } from '../domain/outcome.ts';
import { type CsvLine, readCsvLines } from './csv-lines.ts';

/** Spellings of the known columns, without case, blanks and punctuation. */
const knownColumns: Readonly<Record<string, string>> = {
  ...{ phone: 'phone', phonenumber: 'phone', telephone: 'phone', tel: 'phone', mobile: 'phone', number: 'phone' },
  ...{ name: 'name', fullname: 'name', contactname: 'name', email: 'email', emailaddress: 'email', mail: 'email' },
};

/** No list of contacts has more, and each would have to be looked at. */
const columnsMax = 1000;

/**
 * The contacts of a csv with their lines' numbers, or why it is refused. Whether the phone numbers are good is judged
 * later, as for rows.
 */
export function readCsv(csv: string): Outcome<SentContacts> {
  // One line more than may hold contacts: it is the header.
  const { lines, count, brokenAt } = readCsvLines(csv, { linesMax: csvContactsMax + 1, valuesMax: columnsMax });
  if (brokenAt !== null) {
    const message = `Line ${brokenAt} of the csv cannot be read: a quote is not closed, or stands amid a value.`;
    return refuseCsv(message, 'csv');
  }
  const [header, ...rows] = lines;
  if (!header) return refuseCsv('The csv is empty; its first line has to name the columns.', 'header');
  const columns = header.values.map(columnName);
  const problem = findHeaderProblem(header, columns);
  if (problem !== null) return refuseCsv(problem, 'header');
  if (count - 1 > csvContactsMax) {
    const most = csvContactsMax.toLocaleString('en');
    return refuseCsv(`The csv holds ${count - 1} contacts; ${most} are taken in one call.`, 'maxItems');
  }
  const broken = rows.filter((row) => row.count !== columns.length);
  if (broken.length > 0) return refuseLines(broken, columns.length);
  const places = placeColumns(columns);
  return ok({
    contacts: rows.map(({ values }) => toContact(values, places)),
    placeOf: (index) => ({ path: '/csv', words: `Line ${rows[index]?.number} of the csv` }),
  });
}

/** An unknown column keeps its own spelling: its values are kept under that name. */
function columnName(text: string): string {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return Object.hasOwn(knownColumns, plain) ? (knownColumns[plain] as string) : text.trim();
}

/** null when every column has one name and one of them is the phone. */
function findHeaderProblem({ count }: CsvLine, columns: readonly string[]): string | null {
  if (count > columnsMax) return `The first line of the csv names ${count} columns; ${columnsMax} are taken.`;
  const seen = new Set<string>();
  const twice = columns.find((column) => seen.size === seen.add(column).size);
  if (twice !== undefined) return `The first line of the csv names the column "${twice.slice(0, 40)}" twice.`;
  if (seen.has('phone')) return null;
  return 'The first line of the csv has to name the columns, and one of them has to be phone.';
}

function refuseCsv(message: string, rule: string): Outcome<never> {
  return invalidInput([{ path: '/csv', message, rule }]);
}

/** Each bad line by itself: a person mends a file by line numbers. */
function refuseLines(lines: readonly CsvLine[], columns: number): Outcome<never> {
  return invalidInput(
    lines.map(({ count, number }) => ({
      path: '/csv',
      message: `Line ${number} of the csv has ${count} values instead of ${columns}.`,
      rule: 'columns',
    })),
  );
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

/** Straight into the form in which it is kept: twenty thousand lines of twenty columns are a lot of copies. */
function toContact(values: readonly string[], { phone, name, email, fields }: Columns): SentContact {
  const kept: Record<string, string> = {};
  for (const [column, index] of fields) {
    const value = values[index];
    if (value) define(kept, column, value);
  }
  return { phone: values[phone], name: values[name], email: values[email], fields: kept };
}
