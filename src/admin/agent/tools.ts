// Tools with which an agent controls the mock. Its client uses the API instead.
// Each is one request to a route that people use too, so both have the same rules and the same rejections.

import { type ClauseId, clauses } from '../../contract/generated/clauses.ts';
import { type Interpretation, interpretations } from '../../contract/generated/interpretations.ts';
import { count } from '../../terminal/count.ts';
import { didYouMean } from '../../terminal/suggestion.ts';
import type { AdminAsk } from '../reply.ts';

/** The arguments of a call, unchecked. */
export type Values = Readonly<Record<string, unknown>>;

export interface HttpResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Asks the admin API; over a socket where the agent is in another process. */
export type Ask = (request: AdminAsk) => HttpResponse | Promise<HttpResponse>;

export interface Property {
  [field: string]: string | number | string[] | (string | null)[] | Record<string, Property>;
}

/** One tool. The agent reads the schema; the route checks the values. */
export interface AgentTool {
  readonly name: string;
  /** Of `casa ctl`. */
  readonly verb: string;
  /** The argument that a word after the verb means; the first required one when absent. */
  readonly word?: string;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
  readonly effect: 'reads' | 'changes' | 'discards';
  run(values: Values, ask: Ask): HttpResponse | Promise<HttpResponse>;
}

const text = (description: string) => ({ type: 'string', description });
const whole = (description: string, maximum: number) => ({ type: 'integer', minimum: 1, maximum, description });
const inPath = (value: unknown) => encodeURIComponent(String(value ?? ''));
const queryOf = (values: Values) =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();
const organizationId = text('the organization; the first one when absent. casa_status lists them');
const accountId = text('an account of that organization; casa_status lists them');

/** Request log entries are large; a model needs few. */
const requestLogMax = 50;
const requestLogUsual = 10;

const behavior: readonly AgentTool[] = [
  {
    name: 'casa_status',
    verb: 'status',
    title: 'State of the mock',
    description:
      'Returns base URL, clock, rate limits, faults, organizations with accounts, and the number of requests.',
    properties: {},
    effect: 'reads',
    run: async (_, ask) => {
      const parts = ['health', 'limits', 'faults', 'organizations'] as const;
      const responses = await Promise.all(parts.map((part) => ask({ method: 'GET', path: `/${part}` })));
      const failed = responses.find(({ status }) => status >= 400);
      return failed ?? { status: 200, body: Object.fromEntries(parts.map((part, at) => [part, responses[at]?.body])) };
    },
  },
  {
    name: 'casa_list_requests',
    verb: 'requests',
    title: 'Requests of the client',
    description:
      'Returns the newest requests with their responses and the reason of each rejection. Pass an id for a complete one.',
    properties: {
      id: whole('return only this request', Number.MAX_SAFE_INTEGER),
      limit: whole(`how many (${requestLogUsual})`, requestLogMax),
      operation: text('only of this operation, such as createPost'),
      status: { type: 'integer', description: 'only with this status' },
    },
    effect: 'reads',
    run: ({ id, ...wanted }, ask) =>
      id === undefined
        ? ask({ method: 'GET', path: '/requests', query: queryOf({ limit: requestLogUsual, ...wanted }) })
        : ask({ method: 'GET', path: `/requests/${inPath(id)}` }),
  },
  {
    name: 'casa_list_violations',
    verb: 'violations',
    title: 'Violations of the client',
    description:
      'Returns violations of the client against sections 5, 6 and 7 of the contract. ' +
      'Each has its clause and its requests. An empty list is meaningful only if the client sent requests.',
    properties: {},
    effect: 'reads',
    run: judge,
  },
  {
    name: 'casa_explain_clause',
    verb: 'explain',
    title: 'Explain a clause',
    description: 'Returns a clause of the contract, for example 8.post-text, and the interpretations of its details.',
    properties: { clause: text('id of a clause, or a prefix such as 4.calls') },
    required: ['clause'],
    effect: 'reads',
    run: ({ clause }) => explain(String(clause ?? '')),
  },
];

/** The requests of a fault or a custom response, in the same words for both. */
const matching = {
  operation: text('only requests of this operation, such as listSites (default: all)'),
  accountId: text('only requests for this account'),
  key: text('only requests with this API key'),
  ip: text('only requests of this IP address'),
};
const counted = {
  times: whole('number of requests (default: all)', 1_000_000),
  skip: whole('number of matching requests before the first', 1_000_000),
};

/** In the form of the admin API. A rule without conditions has none, so `spec` can have its own. */
function withMatch({ operation, accountId, key, ip, ...rule }: Values): Values {
  const entries = Object.entries({ operation, accountId, key, ip }).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? rule : { match: Object.fromEntries(entries), ...rule };
}

const changing: readonly AgentTool[] = [
  {
    name: 'casa_advance_clock',
    verb: 'advance',
    title: 'Advance the clock',
    description:
      'Advances the clock of the mock: rate limits reset, calls appear after five minutes, links expire. ' +
      'X-RateLimit-Reset moves too, so clients with their own clock wait longer after it.',
    properties: { duration: text('for example 30s, 5m or 2h') },
    required: ['duration'],
    effect: 'changes',
    run: ({ duration }, ask) => ask({ method: 'POST', path: '/clock/advance', body: { duration } }),
  },
  {
    name: 'casa_add_fault',
    verb: 'fault',
    word: 'spec',
    title: 'Add a fault',
    description: 'Makes requests fail. Pass an error (such as transient), a network fault or a delay.',
    properties: {
      ...matching,
      spec: text('the complete rule as one text, for example listReviews=network:reset@1x'),
      error: text('code or status of the response'),
      network: {
        type: 'string',
        enum: ['reset', 'empty', 'truncated', 'slow', 'timeout'],
        description: 'network fault: reset, empty, truncated, slow or timeout',
      },
      latencyMs: { type: 'number', description: 'delay of the response in milliseconds' },
      ...counted,
      probability: { type: 'number', minimum: 0, maximum: 1, description: 'share of the requests, for example 0.1' },
    },
    effect: 'changes',
    run: (rule, ask) => ask({ method: 'POST', path: '/faults', body: withMatch(rule) }),
  },
  {
    name: 'casa_respond',
    verb: 'respond',
    word: 'operation',
    title: 'Return a custom response',
    description:
      'Makes an operation return your response. Rate limits and keys still apply. casa_clear_faults removes it.',
    properties: {
      ...matching,
      status: { type: 'integer', minimum: 200, maximum: 599, description: 'default: 200' },
      body: { description: 'a text is sent as is, anything else as JSON' },
      headers: { type: 'object', description: 'header names and texts' },
      ...counted,
    },
    effect: 'changes',
    run: (values, ask) => {
      const { match, times, skip, ...respond } = withMatch(values);
      return ask({ method: 'POST', path: '/faults', body: { match, times, skip, respond } });
    },
  },
  {
    name: 'casa_clear_faults',
    verb: 'clear',
    title: 'Remove all faults and custom responses',
    description: 'Removes all faults and custom responses. Requests then succeed again.',
    properties: {},
    effect: 'discards',
    run: (_, ask) => ask({ method: 'DELETE', path: '/faults' }),
  },
  {
    name: 'casa_add_call',
    verb: 'ring',
    title: 'Simulate a call',
    description:
      'Starts a call. It appears in the call log five minutes after its end. To see it earlier, use casa_advance_clock.',
    properties: {
      organizationId,
      durationS: { type: 'number', minimum: 0, description: 'duration in seconds' },
      direction: { type: 'string', enum: ['inbound', 'outbound'], description: 'inbound or outbound' },
      from: text('number of the caller'),
      to: text('number that is called'),
      agent: text('name of the agent'),
      startedAt: text('start as an ISO 8601 date-time (default: now)'),
      provisional: text('outcome until the call is settled'),
      outcome: text('outcome of the call, for example completed'),
    },
    effect: 'changes',
    run: (wishes, ask) => ask({ method: 'POST', path: '/calls', body: wishes }),
  },
  {
    name: 'casa_add_review',
    verb: 'arrive',
    title: 'Add a review',
    description: 'Adds a review by a customer to an account.',
    properties: {
      organizationId,
      accountId,
      rating: { type: 'number', minimum: 1, maximum: 5 },
      text: text('text of the review'),
    },
    required: ['accountId'],
    effect: 'changes',
    run: async ({ organizationId: wanted, accountId: account, ...review }, ask) => {
      const id = inPath(wanted ?? (await firstOrganization(ask)));
      return ask({ method: 'POST', path: `/organizations/${id}/accounts/${inPath(account)}/reviews`, body: review });
    },
  },
  {
    name: 'casa_set_account',
    verb: 'state',
    title: 'Change an account',
    description: 'Changes the state of an account. Requests for it are then rejected as in production.',
    properties: {
      organizationId,
      accountId,
      status: text('such as connected, expired, revoked or pending; casa_status shows those in use'),
      locked: { type: 'boolean', description: 'whether writes return 402' },
      trouble: {
        type: 'string',
        enum: ['provider_error', 'transient', 'rate_limited', 'none'],
        description: 'error of the platform: provider_error, transient, rate_limited or none',
      },
    },
    required: ['accountId'],
    effect: 'changes',
    run: async ({ organizationId: wanted, accountId: account, ...state }, ask) => {
      const id = inPath(wanted ?? (await firstOrganization(ask)));
      return ask({ method: 'PUT', path: `/organizations/${id}/accounts/${inPath(account)}`, body: state });
    },
  },
  {
    name: 'casa_take_snapshot',
    verb: 'snapshot',
    word: 'id',
    title: 'Take a snapshot',
    description: 'Saves the complete state under a name, for casa_restore_snapshot.',
    properties: { id: text('name (default: generated)') },
    effect: 'changes',
    run: (values, ask) => ask({ method: 'POST', path: '/snapshots', body: values }),
  },
  {
    name: 'casa_restore_snapshot',
    verb: 'restore',
    title: 'Restore a snapshot',
    description: 'Restores a snapshot: data, rate limits, clock and request log.',
    properties: { id: text('its name') },
    required: ['id'],
    effect: 'discards',
    run: ({ id }, ask) => ask({ method: 'POST', path: `/snapshots/${inPath(id)}/restore`, body: {} }),
  },
  {
    name: 'casa_reset',
    verb: 'reset',
    title: 'Reset the mock',
    description:
      'Restores the initial world, rate limits and faults, and clears request log and violations. ' +
      'A running clock keeps its time: to set it back, restart the mock.',
    properties: {},
    effect: 'discards',
    run: (_, ask) => ask({ method: 'POST', path: '/reset', body: {} }),
  },
];

/** In the order in which they are listed. */
export const agentTools: readonly AgentTool[] = [...behavior, ...changing];

/** Without requests, there is no result. */
async function judge(_: Values, ask: Ask): Promise<HttpResponse> {
  const [violations, health] = await Promise.all([
    ask({ method: 'GET', path: '/violations' }),
    ask({ method: 'GET', path: '/health' }),
  ]);
  if (violations.status !== 200 || health.status !== 200) return violations.status === 200 ? health : violations;
  const found = (violations.body as { violations: readonly { clause: ClauseId }[] }).violations;
  const { requests } = health.body as { requests: number };
  const conclusion =
    requests === 0
      ? 'There were no requests yet, so there is no result.'
      : found.length === 0
        ? `No violations in ${count(requests, 'request')}. Cause errors, advance the clock and request more pages to test more.`
        : `${count(found.length, 'violation')} in ${count(requests, 'request')}.`;
  const told = found.map((violation) => ({ ...violation, contract: clauses[violation.clause]?.fact ?? null }));
  return { status: 200, body: { conclusion, requests, violations: told } };
}

const clausesShownMax = 30;

/** From the generated tables, which are the same in every process. */
function explain(wanted: string): HttpResponse {
  const ids = Object.keys(clauses) as ClauseId[];
  const found = ids.filter((id) => id === wanted || id.startsWith(`${wanted}.`));
  if (wanted === '' || found.length === 0) {
    const hint = didYouMean(wanted, ids, (id) => id);
    const message = `There is no clause "${wanted.slice(0, 100)}".${hint} A prefix such as 4 or 4.calls lists all clauses below it.`;
    return { status: 404, body: { error: { code: 'not_found', message } } };
  }
  const shown = found.slice(0, clausesShownMax).map((id) => {
    const { fact, basis, at } = clauses[id];
    const about = Object.entries(interpretations).filter(([, interpretation]) =>
      (interpretation as Interpretation).about.includes(id),
    );
    return {
      id,
      fact,
      basis,
      at,
      interpretations: about.map(([name, { text: words }]) => `${name}: ${words}`),
    };
  });
  return { status: 200, body: { clauses: shown, total: found.length } };
}

async function firstOrganization(ask: Ask): Promise<string | undefined> {
  const { body } = await ask({ method: 'GET', path: '/organizations' });
  return (body as { organizations?: readonly { id: string }[] }).organizations?.[0]?.id;
}

// A call of a tool, as text: the control MCP server and `casa ctl` return the same.

/** More would fill the memory of a model with one response. */
const textCharactersMax = 60_000;

export interface ToolText {
  readonly text: string;
  readonly isError: boolean;
  /** The response as data; absent if the text was cut. */
  readonly body?: unknown;
}

/**
 * Calls a tool. A long response is cut, and says how to ask for less. Invisible characters, and those that turn a line
 * around, are escaped, as JSON allows.
 */
export async function callTool(tool: AgentTool, values: Values, ask: Ask): Promise<ToolText> {
  const { status, body } = await checked(tool, values, ask);
  const whole = JSON.stringify(body, null, 1).replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped);
  const isError = status >= 400;
  if (whole.length <= textCharactersMax) return { text: whole, isError, body };
  return { text: `${whole.slice(0, textCharactersMax)}\n… cut. Use limit, id or operation to get less.`, isError };
}

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Rejects a field that the route would not see. The route checks the values. */
async function checked(tool: AgentTool, values: Values, ask: Ask): Promise<HttpResponse> {
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(tool.properties, name));
  const missing = tool.required?.find((name) => values[name] === undefined);
  const known = Object.keys(tool.properties).join(', ') || 'none';
  if (unknown !== undefined)
    return reject(`${tool.name} has no argument "${unknown.slice(0, 100)}". Arguments: ${known}.`);
  if (missing !== undefined) return reject(`${tool.name} needs ${missing}.`);
  const response = await Promise.resolve(tool.run(values, ask)).catch((error: Error) => error);
  if (!(response instanceof Error)) return response;
  // Another server can respond with any JSON.
  return reject(`The responses for ${tool.name} do not have the form of casa mock: ${response.message}.`);
}

function reject(message: string): HttpResponse {
  return { status: 400, body: { error: { code: 'bad_request', message } } };
}
