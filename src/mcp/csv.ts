// Contacts from a csv text: the first line names the columns. Quotes, line ends of both kinds and a byte order mark are the
// parser's business; which column holds what is ours (choice C144). Cites 8.import.csv-contacts.
import { parse } from 'csv-parse/browser/esm/sync';
import { csvContactsMax } from '../contract/generated/limits.ts';
import type { SentContact } from '../domain/contacts.ts';
import { invalidInput, type Outcome, ok } from '../domain/outcome.ts';

/** Spellings of the known columns, without case, blanks and punctuation. */
const knownColumns: Readonly<Record<string, string>> = {
  ...{ phone: 'phone', phonenumber: 'phone', telephone: 'phone', tel: 'phone', mobile: 'phone', number: 'phone' },
  ...{ name: 'name', fullname: 'name', contactname: 'name', email: 'email', emailaddress: 'email', mail: 'email' },
};

interface Line {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

export function readCsv(csv: string): Outcome<readonly SentContact[]> {
  const lines = parseLines(csv);
  if (!lines.ok) return lines;
  const [header, ...rows] = lines.value;
  if (!header) return refuseCsv('The csv is empty; its first line has to name the columns.', 'header');
  const columns = header.record.map(columnName);
  const problem = findHeaderProblem(columns);
  if (problem !== null) return refuseCsv(problem, 'header');
  if (rows.length > csvContactsMax) {
    const most = csvContactsMax.toLocaleString('en');
    return refuseCsv(`The csv holds ${rows.length} contacts; ${most} are taken in one call.`, 'maxItems');
  }
  const broken = rows.filter(({ record }) => record.length !== columns.length);
  if (broken.length > 0) return refuseLines(broken, columns.length);
  return ok(rows.map((row) => toContact(row, columns)));
}

function parseLines(csv: string): Outcome<readonly Line[]> {
  try {
    const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true } as const;
    return ok(parse(csv, options) as unknown as Line[]);
  } catch (error) {
    // Only a quote that is not closed, or one amid a bare value, stops the parser.
    const { lines, message } = error as Error & { lines?: number };
    const place = lines === undefined ? 'The csv' : `Line ${lines} of the csv`;
    return refuseCsv(`${place} cannot be read: ${message.replace(/\s+/g, ' ').slice(0, 200)}`, 'csv');
  }
}

function columnName(text: string): string {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return knownColumns[plain] ?? text.trim();
}

function findHeaderProblem(columns: readonly string[]): string | null {
  const twice = columns.find((column, i) => columns.indexOf(column) !== i);
  if (twice !== undefined) return `The first line of the csv names the column "${twice.slice(0, 40)}" twice.`;
  if (columns.includes('phone')) return null;
  return 'The first line of the csv has to name the columns, and one of them has to be phone.';
}

function refuseCsv(message: string, rule: string): Outcome<never> {
  return invalidInput([{ path: '/csv', message, rule }]);
}

/** An answer names this many lines at most. */
const linesNamed = 100;

function refuseLines(lines: readonly Line[], columns: number): Outcome<never> {
  return invalidInput(
    lines.slice(0, linesNamed).map(({ record, info }) => ({
      path: '/csv',
      message: `Line ${info.lines} of the csv has ${record.length} values instead of ${columns}.`,
      rule: 'columns',
    })),
  );
}

function toContact({ record, info }: Line, columns: readonly string[]): SentContact {
  const values = Object.fromEntries(columns.map((column, i) => [column, record[i] ?? '']));
  return { values, path: '/csv', place: `Line ${info.lines} of the csv` };
}
