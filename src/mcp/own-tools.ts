// The tools that no REST path leads to. Cites 4.tools.inbox-list, 4.tools.customers-list, 4.tools.dialer-import-contacts.
import type {
  CustomersListInput,
  CustomersListResponse,
  DialerImportContactsInput,
  DialerImportContactsResponse,
  InboxListInput,
  InboxListResponse,
  OwnToolName,
} from '../contract/generated/tools.ts';
import type { SentContact } from '../domain/contacts.ts';
import { invalidInput, type Outcome, ok } from '../domain/outcome.ts';
import type { Call } from '../http/call.ts';
import { readCsv } from './csv.ts';

type OwnTool = (input: never, call: Call) => Outcome<object>;

function listInbox({ cursor }: InboxListInput, { organization }: Call): Outcome<InboxListResponse> {
  const page = organization.inbox.page(cursor);
  if (!page.ok) return page;
  return ok({ data: page.value, summary: `${page.value.messages.length} messages.` });
}

// `max` is never missing: its default was put in with the arguments.
function listCustomers({ max }: CustomersListInput, { organization }: Call): Outcome<CustomersListResponse> {
  const data = organization.customers.newest(max as number);
  return ok({ data, summary: `The ${data.customers.length} newest customers.` });
}

function importContacts(
  input: DialerImportContactsInput,
  { organization, world, nowMs }: Call,
): Outcome<DialerImportContactsResponse> {
  const sent = readContacts(input);
  if (!sent.ok) return sent;
  const done = organization.contacts.import(sent.value, { random: world.random, nowMs });
  if (!done.ok) return done;
  const { imported, updated, total } = done.value;
  return ok({
    data: done.value,
    summary: `${imported} contacts imported, ${updated} updated; there are ${total} now.`,
  });
}

/** That not both are there has been checked. Cites 8.import.either. */
function readContacts({ csv, rows }: DialerImportContactsInput): Outcome<readonly SentContact[]> {
  if (csv !== undefined) return readCsv(csv);
  if (rows) return ok(rows.map((values, i) => ({ values, path: `/rows/${i}`, place: `Row ${i + 1}` })));
  return invalidInput([{ path: '', message: 'Send either csv or rows.', rule: 'required' }]);
}

export const ownTools: { readonly [Name in OwnToolName]: OwnTool } = {
  inbox_list: listInbox,
  customers_list: listCustomers,
  dialer_import_contacts: importContacts,
};
