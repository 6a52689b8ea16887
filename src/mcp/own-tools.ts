// The tools that no REST path leads to. Cites 4.tools.inbox-list, 4.tools.customers-list,
// 4.tools.dialer-import-contacts.
import type {
  CustomersListInput,
  CustomersListResponse,
  DialerImportContactsInput,
  DialerImportContactsResponse,
  InboxListInput,
  InboxListResponse,
  OwnToolName,
  OwnWriteToolName,
} from '../contract/generated/tools.ts';
import type { ContactsChange } from '../domain/change.ts';
import { type SentContacts, splitValues } from '../domain/contacts.ts';
import { invalidInput, type Outcome, ok } from '../domain/outcome.ts';
import { type Handled, type HandlerContext, unchanged } from '../http/handler.ts';
import { readCsv } from './csv.ts';

/** The change that each tool which writes makes. A new one is missing here until it has its row. */
interface ChangeMap {
  readonly dialer_import_contacts: ContactsChange;
}

/** Makes the compiler refuse a tool that reads and yet gives a change. */
type ChangeOf<Name extends OwnToolName> = Name extends OwnWriteToolName ? ChangeMap[Name] : null;

type OwnTool<Name extends OwnToolName> = (
  input: never,
  context: HandlerContext,
) => Outcome<Handled<object, ChangeOf<Name>>>;

type Read<Output> = Outcome<Handled<Output, null>>;

/** The inbox refuses a cursor that it did not give out. */
function listInbox({ cursor }: InboxListInput, { organization }: HandlerContext): Read<InboxListResponse> {
  const page = organization.inbox.page(cursor);
  if (!page.ok) return page;
  return unchanged({ data: page.value, summary: `${page.value.messages.length} messages.` });
}

// `max` is never missing: its default was put in with the arguments.
function listCustomers({ max }: CustomersListInput, { organization }: HandlerContext): Read<CustomersListResponse> {
  const data = organization.customers.newest(max as number);
  return unchanged({ data, summary: `The ${data.customers.length} newest customers.` });
}

/** All or nothing: one bad contact refuses the call, so a client never has to find out which ones came in. */
function importContacts(
  input: DialerImportContactsInput,
  { organization, world, nowMs }: HandlerContext,
): Outcome<Handled<DialerImportContactsResponse, ContactsChange>> {
  const sent = readContacts(input);
  if (!sent.ok) return sent;
  const done = organization.contacts.draftImport(sent.value, { random: world.random, nowMs });
  if (!done.ok) return done;
  const { contacts, ...data } = done.value;
  const summary = `${data.imported} contacts imported, ${data.updated} updated; there are ${data.total} now.`;
  return ok({
    output: { data, summary },
    change: { kind: 'contacts', organizationId: organization.id, contacts },
  });
}

/** The schema has refused an input with both. Cites 8.import.either. */
function readContacts({ csv, rows }: DialerImportContactsInput): Outcome<SentContacts> {
  if (csv !== undefined) return readCsv(csv);
  if (rows) {
    return ok({
      contacts: rows.map(splitValues),
      placeOf: (index) => ({ path: `/rows/${index}`, words: `Row ${index + 1}` }),
    });
  }
  return invalidInput([{ path: '', message: 'Send either csv or rows.', rule: 'required' }]);
}

/** By the tool's name; each gets arguments that its schema has accepted. */
export const ownTools: { readonly [Name in OwnToolName]: OwnTool<Name> } = {
  inbox_list: listInbox,
  customers_list: listCustomers,
  dialer_import_contacts: importContacts,
};
