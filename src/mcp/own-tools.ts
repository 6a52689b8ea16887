// The tools that no REST path links to. Cites 4.tools.inbox-list, 4.tools.customers-list,
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
import { formatTimestamp } from '../contract/timestamps.ts';
import type { ImportChange } from '../domain/change.ts';
import { readSent, type Sent } from '../domain/csv.ts';
import { invalidInput, type Outcome, ok } from '../domain/outcome.ts';
import { type Handled, type HandlerContext, unchanged } from '../http/handler.ts';
import { count } from '../terminal/count.ts';

/** The change that each tool which writes makes. A new one is missing here until it has its row. */
interface ChangeMap {
  readonly dialer_import_contacts: ImportChange;
}

/** Makes the compiler reject a tool that reads and yet gives a change. */
type ChangeOf<Name extends OwnToolName> = Name extends OwnWriteToolName ? ChangeMap[Name] : null;

type OwnTool<Name extends OwnToolName> = (
  input: never,
  context: HandlerContext,
) => Outcome<Handled<object, ChangeOf<Name>>>;

type Read<Output> = Outcome<Handled<Output, null>>;

/** The inbox rejects a cursor that it did not give out. */
function listInbox({ cursor }: InboxListInput, { organization }: HandlerContext): Read<InboxListResponse> {
  const page = organization.inbox.page(cursor);
  if (!page.ok) return page;
  return unchanged({ data: page.value, summary: `${count(page.value.messages.length, 'message')}.` });
}

// `max` is never missing: its default was put in with the arguments.
function listCustomers({ max }: CustomersListInput, { organization }: HandlerContext): Read<CustomersListResponse> {
  const data = organization.customers.newest(max as number);
  return unchanged({ data, summary: `The newest ${count(data.customers.length, 'customer')}.` });
}

/** All or nothing: one bad contact rejects the call, so a client never has to find out which ones came in. */
function importContacts(
  input: DialerImportContactsInput,
  { organization, world, nowMs }: HandlerContext,
): Outcome<Handled<DialerImportContactsResponse, ImportChange>> {
  const sent = findSent(input);
  if (sent === null) return invalidInput([{ path: '', message: 'Send either csv or rows.', rule: 'required' }]);
  const read = readSent(sent);
  if (!read.ok) return read;
  const done = organization.contacts.draftImport(read.value, world.random);
  if (!done.ok) return done;
  const { contactIds, ...data } = done.value;
  const summary = `${count(data.imported, 'contact')} imported, ${data.updated} updated; there are ${data.total} now.`;
  const importedAt = formatTimestamp(nowMs);
  return ok({
    output: { data, summary },
    change: { kind: 'import', organizationId: organization.id, sent, contactIds, importedAt },
  });
}

/** The schema has rejected an input with both. Cites 8.import.either. */
function findSent({ csv, rows }: DialerImportContactsInput): Sent | null {
  if (csv !== undefined) return { csv };
  return rows ? { rows } : null;
}

/** By the tool's name; each gets arguments that its schema has accepted. */
export const ownTools: { readonly [Name in OwnToolName]: OwnTool<Name> } = {
  inbox_list: listInbox,
  customers_list: listCustomers,
  dialer_import_contacts: importContacts,
};
