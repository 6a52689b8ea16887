// Tools, by calling the REST handlers, and some data for those without an operation.
import { integer } from './checks.ts';
import { invalid, Rejection } from './errors.ts';
import { schemaOf, type ToolName, toolNames } from './mcp-schemas.ts';
import { findRoute } from './routes.ts';
import { type Context, extra, type Fields, type Issue, type Org } from './types.ts';

/** One call of a tool by an organization. */
export interface ToolRequest {
  org: Org;
  at: number;
  tool: string;
  input: Fields;
}

/** A rejection is a value here: how it is written is the variant's choice. */
export type ToolOutcome = { rejection: Rejection; payload?: undefined } | { rejection?: undefined; payload: unknown };

const family = toolNames.slice(0, toolNames.indexOf('publish_post'));
const customerCount = 130;
const contactsMax = 20_000;
const csvMax = 2_000_000;
const rowsMax = 5000;

/** That the named tools are there is not stated (R53). */
function offered(context: Context): readonly ToolName[] {
  const { mcpEndpointTools } = context.variant;
  if (mcpEndpointTools === 'few') return ['customers_list', 'calls_log'];
  return mcpEndpointTools === 'family' ? family : toolNames;
}

function shownTools(context: Context): Fields[] {
  const { mcpEndpointSchemas } = context.variant;
  return offered(context).map((name) => {
    return { name, description: `The tool ${name}`, inputSchema: schemaOf(name, mcpEndpointSchemas) };
  });
}

/** Pages of a few tools, for variants with pagination. */
export function listTools(context: Context, cursor: unknown): Fields {
  const from = typeof cursor === 'string' ? Number(cursor) : 0;
  const all = shownTools(context);
  const to = from + context.variant.mcpEndpointToolPage;
  return { tools: all.slice(from, to), ...(to < all.length ? { nextCursor: String(to) } : {}) };
}

/** Lines but the first, which has the names of the columns. */
function contactsIn(csv: string): number {
  return Math.max(0, csv.split(/\r?\n/).filter((line) => line !== '').length - 1);
}

/** Cites 8.import.either, 8.import.rows, 8.import.csv-contacts, 8.import.csv-characters. */
function importIssues({ csv, rows }: Fields): Issue[] {
  const issues: Issue[] = [];
  const reject = (path: string, message: string): void => void issues.push({ path, message });
  if ((csv === undefined) === (rows === undefined)) reject('csv', 'send either csv or rows');
  if (csv !== undefined && typeof csv !== 'string') reject('csv', 'must be text');
  if (typeof csv === 'string' && csv.length > csvMax) reject('csv', 'is too long');
  if (typeof csv === 'string' && contactsIn(csv) > contactsMax) reject('csv', 'has too many contacts');
  if (typeof csv === 'string' && contactsIn(csv) === 0) reject('csv', 'has no contact');
  if (rows !== undefined && !Array.isArray(rows)) reject('rows', 'must be a list');
  if (Array.isArray(rows) && (rows.length === 0 || rows.length > rowsMax)) reject('rows', 'must have 1 to 5000');
  return issues;
}

/** `nextCursor` reports more, and no input takes it (R54). */
function customers(context: Context, { org, input }: ToolRequest): unknown {
  const count = context.variant.world === 'empty' ? 0 : customerCount;
  const size = typeof input.max === 'number' ? input.max : 25;
  const all = Array.from({ length: count }, (_, at) => ({ customerId: `${org.name}-c${at}`, name: `Customer ${at}` }));
  const nextCursor = count > size ? `after-${size}` : null;
  return { customers: all.slice(0, size), nextCursor, ...extra(context, 'outer') };
}

/** Runs an operation of the connect family: GET reads the query, POST the body. */
const rest =
  (method: 'GET' | 'POST', path: string) =>
  (context: Context, { org, at, input }: ToolRequest): unknown => {
    const words = path.split('/').map((part) => (/^[a-z]+$/.test(part) ? part : String(input[part] ?? '')));
    const segments = ['connect', ...words];
    const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]));
    const body = Buffer.from(JSON.stringify(input), 'utf8');
    const request = { org, at, segments, query, body, contentType: 'application/json' };
    return findRoute(segments)?.[method]?.(context, request).body;
  };

const tools: Readonly<Record<ToolName, (context: Context, req: ToolRequest) => unknown>> = {
  list_reviews: rest('GET', 'accounts/accountId/reviews'),
  calls_log: rest('GET', 'calls/log'),
  inbox_list: () => ({ data: { messages: [{ id: 'm1', text: 'Hello' }], nextCursor: null } }),
  customers_list: (context, req) => ({ data: customers(context, req) }),
  dialer_import_contacts: (_, { input: { rows, csv } }) => ({
    data: { imported: Array.isArray(rows) ? rows.length : contactsIn(String(csv)) },
  }),
  publish_post: rest('POST', 'accounts/accountId/posts'),
  reply_to_review: rest('POST', 'accounts/accountId/reviews/reviewId/reply'),
  create_connect_link: rest('POST', 'accounts'),
  list_accounts: rest('GET', 'accounts'),
  get_insights: rest('GET', 'accounts/accountId/insights'),
};

/** Undefined for a tool that is not offered. */
export function callTool(context: Context, req: ToolRequest): ToolOutcome | undefined {
  const known = shownTools(context).some(({ name }) => name === req.tool);
  if (!known) return undefined;
  try {
    const { max } = req.input;
    const issues = req.tool === 'dialer_import_contacts' ? importIssues(req.input) : [];
    if (req.tool === 'customers_list' && max !== undefined) issues.push(...integer(1, 100)(max, context, 'max'));
    if (issues.length > 0) throw invalid(issues);
    return { payload: tools[req.tool as ToolName](context, req) };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { rejection: error };
  }
}
