// What an import sends, and its reading. A change of the world holds it as it came: twenty thousand contacts of twenty
// columns would take as long to write as all the rest of the import.
import { readRows, type SentContacts } from './contacts.ts';
import { readCsv } from './csv.ts';
import { type Outcome, ok } from './outcome.ts';

/** Either of both, as it came. */
export type Sent = { readonly csv: string } | { readonly rows: readonly Readonly<Record<string, unknown>>[] };

/** What was read once is not read again: an import is judged and then made. */
const known = new WeakMap<Sent, Outcome<SentContacts>>();

/** The contacts of an import, or why they are refused; whether the phone numbers are good is judged later. */
export function readSent(sent: Sent): Outcome<SentContacts> {
  const before = known.get(sent);
  if (before) return before;
  const read = 'csv' in sent ? readCsv(sent.csv) : ok(readRows(sent.rows));
  known.set(sent, read);
  return read;
}
