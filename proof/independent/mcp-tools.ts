// Tools, by calling the REST handlers, and some data for those without an operation.
import { callLog } from './calls.ts';
import { createLink, createPost, listAccounts } from './connect.ts';
import { invalid, Rejection } from './errors.ts';
import { insights } from './insights.ts';
import { schemaOf, type ToolName, toolNames } from './mcp-schemas.ts';
import { listReviews, replyToReview } from './reviews.ts';
import { type ApiRequest, type Context, extra, type Fields, type HttpResponse, type Issue, type Org } from './types.ts';

/** The tools, over the REST operations. */

/** One call of a tool by an organization. */
export interface ToolRequest {
  org: Org;
  at: number;
  tool: string;
  input: Fields;
}

/** A rejection is a value here: how it is written is the variant's choice. */
export type ToolOutcome = { rejection: Rejection; payload?: undefined } | { rejection?: undefined; payload: unknown };

const family: readonly ToolName[] = [
  'list_reviews',
  'inbox_list',
  'customers_list',
  'calls_log',
  'dialer_import_contacts',
];
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

function wholeWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
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

function issuesOf(tool: string, input: Fields): Issue[] {
  if (tool === 'dialer_import_contacts') return importIssues(input);
  if (tool === 'customers_list' && input.max !== undefined && !wholeWithin(input.max, 1, 100)) {
    return [{ path: 'max', message: 'must be an integer from 1 to 100' }];
  }
  return [];
}

function restRequestOf({ org, at, input }: ToolRequest, segments: string[], inQuery: readonly string[]): ApiRequest {
  const pairs = inQuery.flatMap((name) => (input[name] === undefined ? [] : [[name, String(input[name])]]));
  const query = new URLSearchParams(pairs);
  const body = Buffer.from(JSON.stringify(input), 'utf8');
  return { org, at, method: 'POST', segments, query, body, contentType: 'application/json' };
}

/** `nextCursor` reports more, and no input takes it (R54). */
function customers(context: Context, { org, input }: ToolRequest): unknown {
  const count = context.variant.world === 'empty' ? 0 : customerCount;
  const size = typeof input.max === 'number' ? input.max : 25;
  const all = Array.from({ length: count }, (_, at) => ({ customerId: `${org.name}-c${at}`, name: `Customer ${at}` }));
  return {
    customers: all.slice(0, size),
    nextCursor: count > size ? `after-${size}` : null,
    ...extra(context, 'outer'),
  };
}

function perform(context: Context, req: ToolRequest): unknown {
  const { input } = req;
  const account = String(input.accountId ?? '');
  const rest = (
    segments: string[],
    inQuery: readonly string[],
    handler: (context: Context, req: ApiRequest) => HttpResponse,
  ) => handler(context, restRequestOf(req, ['connect', ...segments], inQuery)).body;
  switch (req.tool as ToolName) {
    case 'list_reviews':
      return rest(['accounts', account, 'reviews'], ['cursor'], listReviews);
    case 'calls_log':
      return rest(['calls', 'log'], ['since', 'limit'], callLog);
    case 'inbox_list':
      return { data: { messages: [{ id: 'm1', text: 'Hello' }], nextCursor: null } };
    case 'customers_list':
      return { data: customers(context, req) };
    case 'dialer_import_contacts':
      return { data: { imported: Array.isArray(input.rows) ? input.rows.length : contactsIn(String(input.csv)) } };
    case 'publish_post':
      return rest(['accounts', account, 'posts'], [], createPost);
    case 'reply_to_review':
      return rest(['accounts', account, 'reviews', String(input.reviewId ?? ''), 'reply'], [], replyToReview);
    case 'create_connect_link':
      return rest(['accounts'], [], createLink);
    case 'list_accounts':
      return rest(['accounts'], [], listAccounts);
    case 'get_insights':
      return rest(['accounts', account, 'insights'], ['range'], insights);
  }
}

/** Undefined for a tool that is not offered. */
export function callTool(context: Context, req: ToolRequest): ToolOutcome | undefined {
  const known = shownTools(context).some(({ name }) => name === req.tool);
  if (!known) return undefined;
  try {
    const issues = issuesOf(req.tool, req.input);
    if (issues.length > 0) throw invalid(issues);
    return { payload: perform(context, req) };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { rejection: error };
  }
}
