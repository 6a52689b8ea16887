// The tools that list customers, the inbox and reviews: their pages, and inputs at the limits and outside of them.
import { csvContactsMax, customersLimit, importRowsMax } from '../../../src/contract/generated/limits.ts';
import { formatTimestamp } from '../../../src/contract/timestamps.ts';
import { isPrefix } from '../../exchange/call-fields.ts';
import * as callLog from '../../exchange/call-log.ts';
import { dataOf, isObject } from '../../exchange/exchange.ts';
import { type History, responsesTo } from '../../exchange/history.ts';
import { segmentOf } from '../../exchange/look.ts';
import { readInputs } from '../../exchange/mcp/inputs.ts';
import { isInvalid, type Reply, rowsOf } from '../../exchange/mcp/reply.ts';
import { type FamilyName, nameMissing, type Tool, toCallPage, toolIn } from '../../exchange/mcp/tools.ts';
import { rowsAt } from '../../exchange/records.ts';
import { serverNowMs } from '../../exchange/stated-limits.ts';
import { type Asks, callTool, openMcp, type Row, type Scenario, type SoFar, scenario } from '../scenario.ts';

type Input = Readonly<Record<string, unknown>>;

function* callAll(tool: string, inputs: readonly Input[]): Asks<Reply[]> {
  const replies: Reply[] = [];
  for (const input of inputs) replies.push(yield* callTool(tool, input));
  return replies;
}

function ofTool(name: FamilyName, id: string, row: Row, ask: (tool: Tool, history: History, run: SoFar) => Asks) {
  return scenario(id, { needs: ['mcp'], ...row }, function* (run) {
    yield* openMcp();
    const tool = toolIn(run.history(), name);
    return tool === undefined ? nameMissing(run.history(), name) : yield* ask(tool, run.history(), run);
  });
}

const open = scenario('mcp/open', { needs: ['mcp'], least: 2, most: 16 }, function* () {
  yield* openMcp();
});

const byMax = (...all: readonly number[]) => all.map((max) => ({ max }));

const customers = ofTool('customers_list', 'mcp/customers', { most: 6 }, function* ({ name }) {
  const replies = yield* callAll(name, byMax(1, customersLimit.max));
  if (replies.some(({ outcome }) => outcome === 'rejected')) yield* callAll(name, byMax(10));
  // If no input is accepted, a rejection says nothing about max.
  if (replies.some(({ outcome }) => outcome === 'taken')) yield* callAll(name, byMax(0, 1.5, customersLimit.max + 1));
});

function* askPages(tool: string, input: Input): Asks {
  const { data } = yield* callTool(tool, input);
  const cursor = isObject(data) ? data.nextCursor : null;
  if (typeof cursor === 'string' || typeof cursor === 'number') yield* callTool(tool, { ...input, cursor });
}

const inbox = ofTool('inbox_list', 'mcp/inbox', { most: 2 }, ({ name }) => askPages(name, {}));

const reviews = ofTool('list_reviews', 'mcp/reviews', { most: 2 }, function* ({ name }, history) {
  const long = responsesTo(history, 'listReviews').find((page) => typeof dataOf(page).nextCursor === 'string');
  const accountId = long === undefined ? knownAccount(history) : segmentOf(long, 2);
  return accountId === null ? 'needs an account with reviews' : yield* askPages(name, { accountId });
});

const unknownAccount = ofTool('list_reviews', 'mcp/unknown-account', { most: 2 }, function* (tool, history) {
  const { code } = yield* callTool(tool.name, { accountId: history.given.unknownId });
  const accountId = knownAccount(history);
  const isWhole = readInputs(tool).required.every((name) => name === 'accountId');
  // The id is well formed: found wrong it may be only where every id is (interpretation R1).
  if (code === 'invalid_input' && accountId !== null && isWhole) yield* callTool(tool.name, { accountId });
});

/** As the user names it, or as a list has shown it that was read anyway. */
function knownAccount(history: History): string | null {
  if (history.given.account !== null) return history.given.account;
  const rows = responsesTo(history, 'listAccounts').map((list) => rowsAt(list, '/data/accounts', ['accountId']) ?? []);
  return rows.flat().find(({ status }) => status === 'connected')?.accountId ?? null;
}

export const mcpToolScenarios: readonly Scenario[] = [open, customers, inbox, reviews, unknownAccount];

// The call log at the MCP endpoint: its limits, its first call twice, and its pages. Reads without `since` use up
// nothing; with it, nothing larger than one row is read before reads are known not to consume calls (R36).

const limits = ofTool('calls_log', 'mcp/calls-limits', { most: 6 }, function* ({ name }) {
  const inputs = [{ limit: callLog.limitMax }, { limit: 1 }, {}, { limit: callLog.limitMax + 1 }];
  const [all, , usual] = yield* callAll(name, inputs);
  if (all?.outcome === 'rejected') yield* callAll(name, [{ limit: 10 }]);
  const [many, few] = [all, usual].map((reply) => (reply && rowsOf(reply)?.length) ?? callLog.limitDefault);
  // A page can be short, unless the same tool fills it when the limit is explicit.
  const isShort = many !== undefined && few !== undefined && many > callLog.limitDefault && few < callLog.limitDefault;
  if (isShort) yield* callAll(name, [{ limit: callLog.limitDefault }]);
});

const log = ofTool('calls_log', 'mcp/calls-log', { most: 10 }, function* ({ name }, { given }, { history }) {
  if (callLog.gateIn(history())?.isOpen === false) return 'blocked by calls/re-read';
  const poll = (since: string, limit: number) => callTool(name, { since, limit });
  const oldest = yield* poll(callLog.beginning, 1);
  let [since, reply] = [callLog.beginning as string, oldest];
  // A server may reject what is so old.
  for (const later of callLog.laterBeginnings(oldest.exchange)) {
    if (reply.outcome === 'rejected') [since, reply] = [later, yield* poll(later, 1)];
  }
  const first = toCallPage(reply, given);
  if (first === null) return undefined;
  yield* poll(formatTimestamp(serverNowMs(first.exchange) ?? first.exchange.receivedAt), 1);
  if (first.count === 0) return undefined;
  const again = toCallPage(yield* poll(since, 1), given);
  if (again === null || !isPrefix(first.marks, again.marks)) return 'blocked by calls/re-read';
  let page: callLog.CallPage | null = toCallPage(yield* poll(since, callLog.limitMax), given);
  // A long log is not read through: its newest part has the calls that settle.
  if (page !== null && page.count >= callLog.limitMax) {
    const newest = toCallPage(yield* callTool(name, {}), given);
    page = toCallPage(
      yield* poll(callLog.timestampBefore(newest?.calls ?? [], page.exchange), callLog.limitMax),
      given,
    );
  }
  if (page === null || page.count === 0) return undefined;
  // Two halves: the edge between them is where a call can be repeated.
  const half = toCallPage(yield* poll(page.since ?? since, Math.ceil(page.count / 2)), given);
  if (half?.nextCursor != null) yield* poll(half.nextCursor, callLog.limitMax);
  return undefined;
});

export const mcpCallScenarios: readonly Scenario[] = [limits, log];

// dialer_import_contacts with csv, rows, both, and with as many contacts as the limits allow. Contacts that
// a faulty server might import need permission. The csv limit of 2,000,000 characters exceeds the body limit.

const either = ofTool('dialer_import_contacts', 'mcp/import-either', { most: 3 }, function* ({ name }) {
  // Neither contains a contact, so a server that accepts both imports none.
  const [csv, rows] = [{ csv: '\n' }, { rows: [] }];
  const both = yield* callTool(name, { ...csv, ...rows });
  // If one of them is rejected alone, a rejection of both is not evidence.
  if (isInvalid(both)) yield* callAll(name, [csv, rows]);
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
  needs: ['mcp', 'writes:contacts'],
  most: 7,
  changes: `${most.toLocaleString('en')} contacts with unassigned numbers, and more if a limit is violated`,
} as const;

/** A single contact first: when that is rejected, the fields are wrong and the limit cannot be reached. */
const full = ofTool('dialer_import_contacts', 'mcp/imports', row, function* (tool, { given }) {
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
