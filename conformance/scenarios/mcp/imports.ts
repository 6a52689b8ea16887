// dialer_import_contacts with csv, rows, both, and with as many contacts as the limits allow. Contacts that
// a faulty server might import need permission. The csv limit of 2,000,000 characters exceeds the body limit.
import { csvContactsMax, importRowsMax } from '../../../src/contract/generated/limits.ts';
import { isObject } from '../../exchange/exchange.ts';
import { readInputs } from '../../exchange/mcp/inputs.ts';
import { isInvalid } from '../../exchange/mcp/reply.ts';
import type { Tool } from '../../exchange/mcp/tools.ts';
import { callTool, type Scenario } from '../scenario.ts';
import { callAll, ofTool } from './tools.ts';

const either = ofTool('dialer_import_contacts', { id: 'mcp/import-either', most: 3 }, function* ({ name }) {
  // Neither contains a contact, so a server that accepts both imports none.
  const [csv, rows] = [{ csv: '\n' }, { rows: [] }];
  const both = yield* callTool(name, { ...csv, ...rows });
  // If one of them is rejected alone, a rejection of both is not evidence.
  if (isInvalid(both)) yield* callAll(name, [csv, rows]);
  return undefined;
});

type Contact = Readonly<Record<string, string>>;

/** In every area code there are a hundred numbers, 555-0100 to 555-0199, that ring nowhere. */
function phoneOf(index: number): string {
  const area = 201 + Math.floor(index / 100);
  return `+1${area}55501${String(index % 100).padStart(2, '0')}`;
}

/** Fields of contacts are not specified: uses those that the schema requires, and a recognizable name. */
function makeContact(tool: Tool, runId: string): (index: number) => Contact {
  const [row = {}] = readInputs(tool)
    .of('rows')
    .flatMap(({ items }) => (isObject(items) ? [items] : []));
  const { names, required } = readInputs({ ...tool, inputSchema: row });
  const phone = names.find((name) => /phone|mobile|number/i.test(name)) ?? 'phone';
  const name = names.find((each) => /name/i.test(each)) ?? 'name';
  const fields = [...new Set(required.length > 0 ? [...required, name] : [phone, name])];
  const fill = (field: string, index: number) => {
    if (/mail/i.test(field)) return `casa-${runId}-${index}@example.invalid`;
    return /phone|mobile|number/i.test(field) ? phoneOf(index) : `casa ${runId} ${index}`;
  };
  return (index) => Object.fromEntries(fields.map((field) => [field, fill(field, index)]));
}

/** Without quotes: no field of these contacts holds a comma. */
function writeCsv(contacts: readonly Contact[]): string {
  const header = Object.keys(contacts[0] ?? {}).join(',');
  return [header, ...contacts.map((contact) => Object.values(contact).join(','))].join('\n');
}

const ways = [
  { way: 'rows', max: importRowsMax, inputOf: (contacts: readonly Contact[]) => contacts },
  { way: 'csv', max: csvContactsMax, inputOf: writeCsv },
] as const;

const most = importRowsMax + csvContactsMax;
const row = {
  id: 'mcp/imports',
  needs: ['mcp', 'writes:contacts'],
  most: 7,
  changes: `${most.toLocaleString('en')} contacts with unassigned numbers, and more if a limit is violated`,
} as const;

/** A single contact first: when that is rejected, the fields are wrong and the limit cannot be reached. */
const full = ofTool('dialer_import_contacts', row, function* (tool, { given }) {
  const contactAt = makeContact(tool, given.runId);
  const single: Record<string, unknown> = {};
  let why: string | undefined;
  for (const { way, max, inputOf } of ways) {
    const inputFor = (length: number) => ({ [way]: inputOf(Array.from({ length }, (_, index) => contactAt(index))) });
    // Long requests are found by their labels.
    const send = (length: number, label: string) =>
      callTool(tool.name, inputFor(length), { isWrite: true, label: `${label} as ${way}` });
    const one = yield* send(1, 'a contact');
    const isTaken = one.outcome === 'taken';
    if (isTaken) Object.assign(single, inputFor(1));
    else why ??= `a single contact was not imported: ${one.words}; its fields are not specified`;
    if (!isTaken || (yield* send(max, 'most contacts')).exchange.status === 413) continue;
    yield* send(max + 1, 'too many contacts');
  }
  if (why === undefined) yield* callTool(tool.name, single, { isWrite: true });
  return why;
});

export const mcpImportScenarios: readonly Scenario[] = [either, full];
