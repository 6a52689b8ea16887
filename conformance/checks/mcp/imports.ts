// dialer_import_contacts: csv or rows, and the size of each. Contacts that a faulty server might import need
// permission. The csv limit of 2,000,000 characters exceeds the body limit of the MCP endpoint and cannot be reached.

import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { csvCharactersMax, csvContactsMax, importRowsMax } from '../../../src/contract/generated/limits.ts';
import { isObject } from '../../exchange/exchange.ts';
import { expectBounds, expectInvalid, expectTaken, isWrapped, openAt, pointerTo } from '../../mcp/assertions.ts';
import type { McpEndpoint, Tool } from '../../mcp/endpoint.ts';
import { readInputs } from '../../mcp/inputs.ts';
import { isInvalid, otherReason, type Reply } from '../../mcp/reply.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const importTool = 'dialer_import_contacts';
/** A csv text of the body limit minus the rest of the request. */
const reachableCharacters = 1_000_000;

const inputsStated: CheckRow = {
  id: 'mcp/import-inputs',
  title: 'The schema of dialer_import_contacts states the documented limits',
  cites: ['4.tools.dialer-import-contacts', '8.import.rows', '8.import.csv-characters'],
  cost: { requests: 0 },
  async run(probe) {
    const { tool } = await openAt(probe, importTool);
    const inputs = readInputs(tool);
    if (inputs.names.length === 0 && !inputs.isClosed)
      probe.stop('vacuous', `the schema of ${importTool} lists no inputs`);
    if (isWrapped(inputs)) probe.stop('precondition', `${importTool} has one input that contains all others`);
    for (const name of ['csv', 'rows']) {
      const claim = { clause: '4.tools.dialer-import-contacts', pointer: pointerTo(tool, name) } as const;
      const actual = inputs.names.join(', ');
      const isRequired = inputs.required.includes(name);
      const expected = `an optional input named ${name}`;
      const about = { ...claim, expected, actual: isRequired ? `a required ${name}` : actual, exchange: tool.exchange };
      // Strict schemas require every input and use null for an omitted one.
      if (isRequired && inputs.mayBeNull(name)) probe.warn(about);
      else probe.holds(inputs.names.includes(name) && !isRequired, about);
    }
    expectBounds(
      probe,
      { tool, inputs },
      { input: 'rows', of: 'items', clause: '8.import.rows', upper: importRowsMax },
    );
    const { upper } = inputs.bounds('csv', 'length');
    // Between the body limit and the csv limit, a smaller maximum rejects nothing that can be sent.
    const isHarmless = upper !== null && upper >= reachableCharacters && upper < csvCharactersMax;
    const csv = { input: 'csv', of: 'length', clause: '8.import.csv-characters', upper: csvCharactersMax } as const;
    if (!isHarmless) expectBounds(probe, { tool, inputs }, csv);
  },
};

/** Empty inputs, which a server may reject for that alone: then the rejection of both proves nothing. */
const either: CheckRow = {
  id: 'mcp/import-either',
  title: 'dialer_import_contacts rejects csv together with rows',
  // The sentence is for the client; a server that takes both is only unwise.
  level: 'should',
  cites: ['8.import.either'],
  phase: 'rejections',
  cost: { requests: 4 },
  async run(probe) {
    const { mcpEndpoint } = await openAt(probe, importTool);
    // Neither contains a contact, so a server that accepts both imports none.
    const [csv, rows] = ['\n', []];
    const both = await mcpEndpoint.call(probe, importTool, { csv, rows });
    const expected = 'a rejection of csv together with rows';
    // If one of them is rejected alone, a rejection of both is not evidence.
    const isConclusive = !isInvalid(both) || (await isTaken(probe, mcpEndpoint, { csv }, { rows }));
    if (isConclusive) expectInvalid(probe, both, { clause: '8.import.either', expected });
    else probe.doubt('precondition', `${importTool} rejects empty csv and empty rows too`);
    const neither = await mcpEndpoint.call(probe, importTool, {});
    const claim = { clause: '4.tools.dialer-import-contacts', expected: 'a rejection without csv and rows' } as const;
    if (neither.outcome === 'taken') probe.note({ ...claim, actual: neither.words, exchange: neither.exchange });
  },
};

async function isTaken(
  probe: Probe,
  mcpEndpoint: McpEndpoint,
  ...inputs: readonly Record<string, unknown>[]
): Promise<boolean> {
  for (const input of inputs) if ((await mcpEndpoint.call(probe, importTool, input)).outcome !== 'taken') return false;
  return true;
}

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

/** One of the two ways to import, and its limit. */
interface Import {
  readonly most: number;
  readonly clause: '8.import.rows' | '8.import.csv-contacts';
  readonly noun: string;
  readonly alsoCites: readonly ClauseId[];
  input(contacts: readonly Contact[]): Record<string, unknown>;
}

const byRows: Import = {
  most: importRowsMax,
  clause: '8.import.rows',
  noun: 'rows',
  alsoCites: [],
  input: (contacts) => ({ rows: contacts }),
};
const byCsv: Import = {
  most: csvContactsMax,
  clause: '8.import.csv-contacts',
  noun: 'contacts as csv',
  // The text of so many contacts is long, and within its limit.
  alsoCites: ['8.import.csv-characters'],
  input: (contacts) => ({ csv: writeCsv(contacts) }),
};

/** At the limit and one over it. The contacts carry the run's id and numbers that ring nowhere. */
function importCheck(id: string, how: Import): CheckRow {
  const [most, over] = [how.most, how.most + 1].map((count) => count.toLocaleString('en'));
  return {
    id,
    title: `${importTool} accepts ${most} ${how.noun} and rejects ${over}`,
    mutates: `${over} contacts with unassigned numbers, ${over} more if the limit is violated`,
    cites: [how.clause, ...how.alsoCites],
    phase: 'writes',
    needs: ['mcp', 'writes:contacts'],
    cost: { requests: 3, writes: 3 },
    run: async (probe) => {
      const { mcpEndpoint, tool } = await openAt(probe, importTool);
      await checkImport(probe, { mcpEndpoint, tool, how });
    },
  };
}

/** A single contact first: when that is rejected, the fields are wrong and the limit cannot be reached. */
async function checkImport(
  probe: Probe,
  { mcpEndpoint, tool, how }: { mcpEndpoint: McpEndpoint; tool: Tool; how: Import },
): Promise<void> {
  const { most, clause, noun } = how;
  const contactAt = makeContact(tool, probe.settings.runId);
  const send = (count: number): Promise<Reply> => {
    const contacts = Array.from({ length: count }, (_, index) => contactAt(index));
    return mcpEndpoint.call(probe, importTool, how.input(contacts), 'writes');
  };
  const one = await send(1);
  if (one.outcome !== 'taken') {
    const why = otherReason(one) ?? `${one.words}; the contract does not define the fields of a contact`;
    probe.stop('precondition', `a single contact was not imported: ${why}`);
  }
  const full = await send(most);
  if (full.exchange.status === 413) return probe.doubt('unreachable', `${most} ${noun} exceed the body limit`);
  const controlRequest = () => Promise.resolve(one);
  await expectTaken(probe, full, { clause, expected: `a result for ${most} ${noun}`, controlRequest });
  const over = await send(most + 1);
  expectInvalid(probe, over, { clause, expected: `a rejection of ${most + 1} ${noun}` });
}

const both: CheckRow = {
  id: 'mcp/import-both',
  title: 'dialer_import_contacts rejects one contact as csv and one as rows',
  level: 'should',
  cites: ['8.import.either'],
  phase: 'writes',
  needs: ['mcp', 'writes:contacts'],
  mutates: 'up to four contacts with unassigned numbers',
  cost: { requests: 3, least: 1, writes: 3 },
  async run(probe) {
    const { mcpEndpoint, tool } = await openAt(probe, importTool);
    const contact = [makeContact(tool, probe.settings.runId)(0)];
    const [csv, rows] = [byCsv.input(contact), byRows.input(contact)];
    for (const input of [csv, rows]) {
      const { outcome, words } = await mcpEndpoint.call(probe, importTool, input, 'writes');
      if (outcome !== 'taken') probe.stop('precondition', `a single contact was not imported: ${words}`);
    }
    const reply = await mcpEndpoint.call(probe, importTool, { ...csv, ...rows }, 'writes');
    expectInvalid(probe, reply, { clause: '8.import.either', expected: 'a rejection of csv together with rows' });
  },
};

const rows = importCheck('mcp/import-rows', byRows);
const csv = importCheck('mcp/import-csv', byCsv);

export const mcpImports = defineChecks({ phase: 'read', needs: ['mcp'], after: ['mcp/door'] }, [
  inputsStated,
  either,
  both,
  rows,
  csv,
]);
