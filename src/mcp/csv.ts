// Contacts from a csv text: the first line names the columns, and which column holds what is our assumption (choice
// C144). Cites 8.import.csv-contacts.
import { csvContactsMax } from '../contract/generated/limits.ts';
import { define, type SentContact } from '../domain/contacts.ts';
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
export function readCsv(csv: string): Outcome<readonly SentContact[]> {
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
  return ok(rows.map((row) => toContact(row, columns)));
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

/** `place` is how a problem of this contact is told: by the line of the file, as a person sees it. */
function toContact({ values: sent, number }: CsvLine, columns: readonly string[]): SentContact {
  const values: Record<string, string> = {};
  for (let i = 0; i < columns.length; i += 1) define(values, columns[i] as string, sent[i] ?? '');
  return { values, path: '/csv', place: `Line ${number} of the csv` };
}
