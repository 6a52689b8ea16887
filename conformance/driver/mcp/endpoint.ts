// The connection to the MCP endpoint. The official client negotiates and formats each request; the sender sends it, so
// it is paced, recorded, bounded and repeated like other requests. Cites `1.mcp-door`.
import { responseOf } from '../../exchange/event-stream.ts';
import { type Exchange, hasResponse, isLimiterRejection, isObject } from '../../exchange/exchange.ts';
import { oncePer } from '../../exchange/history.ts';
import { isBreakdown, type Reply, readReply } from '../../exchange/mcp/reply.ts';
import { toolsOf } from '../../exchange/mcp/tools.ts';
import type { RequestSpec } from '../../exchange/request.ts';
import { NoResponse, type RunSettings, type Sender, Stop } from '../sender.ts';
import type { CarriedRequest, McpClient, Negotiation } from './sdk.ts';

export interface McpEndpoint {
  call(sender: Sender, tool: string, input: Record<string, unknown>, how?: CallOptions): Promise<Reply>;
}

/** Of a call that can change the target, or whose request has a name. */
interface CallOptions {
  readonly isWrite?: boolean;
  readonly label?: string;
}

/** The exchange under way between client and sender. */
interface Line {
  sender: Sender;
  readonly key: McpEndpointKey;
  call: CallOptions;
  /** The client's cancellation of a request, which the endpoint need not receive. */
  isMuted: boolean;
  underWay: Promise<unknown> | null;
  failure: unknown;
  readonly taken: Exchange[];
}

const toolPagesMax = 10;
/** Turns of the loop in which a client that has its response must have read it. */
const turnsMax = 200;

/** The key of the connection: each key has a separate client. */
export type McpEndpointKey = 'good' | 'second';

const mcpEndpointsOf = oncePer((_settings: RunSettings) => new Map<McpEndpointKey, Promise<McpEndpoint>>());

/** The MCP endpoint, opened once. After a failure, later checks lack a precondition. */
export async function openMcpEndpoint(sender: Sender, key: McpEndpointKey = 'good'): Promise<McpEndpoint> {
  const mcpEndpoints = mcpEndpointsOf(sender.settings);
  const known = mcpEndpoints.get(key);
  if (known)
    return known.catch(() => {
      throw new Stop('precondition', 'the MCP endpoint did not open');
    });
  const opening = open(sender, key);
  mcpEndpoints.set(key, opening);
  return opening;
}

/** The endpoint was reached and responded with something other than MCP. */
export class NotOpened extends Error {
  readonly exchange: Exchange | null;
  constructor(message: string, exchange: Exchange | null) {
    super(message);
    this.exchange = exchange;
  }
}

/** Offers both generations of the protocol first, then only the older one, for endpoints that reject the offer. */
async function open(sender: Sender, key: McpEndpointKey): Promise<McpEndpoint> {
  const line: Line = { sender, key, call: {}, isMuted: false, underWay: null, failure: null, taken: [] };
  const client = (await connect(line, 'auto')) ?? (await connect(line, 'legacy'));
  if (client === null) throw rejectionToOpen(line);
  await listTools(line, client);
  return {
    async call(current, name, input, how = {}) {
      line.sender = current;
      line.call = how;
      const send = async () => readReply(await sendToolCall(line, client, { name, arguments: input }), input);
      const reply = await send();
      // One breakdown may be bad luck, so only two in a row are checked (interpretation R1, R2).
      return isBreakdown(reply) && how.isWrite !== true ? send() : reply;
    },
  };
}

/** Null if the client rejects the endpoint's responses. */
async function connect(line: Line, negotiation: Negotiation): Promise<McpClient | null> {
  const { makeClient } = await import('./sdk.ts');
  const client = makeClient({
    url: new URL(line.sender.settings.mcpUrl ?? ''),
    negotiation,
    carry: (request) => carry(line, request),
    waitToResume: (resume, delayMs) => {
      track(line, line.sender.wait({ ms: Math.min(delayMs, 5000) }).then(resume));
    },
  });
  line.failure = null;
  if (await settles(line, client.connect())) return client;
  line.isMuted = true;
  await client.close().catch(() => undefined);
  line.isMuted = false;
  if (line.failure instanceof NoResponse && negotiation === 'legacy') throw line.failure;
  return null;
}

/** The most useful of several reasons: a limiter, an error of ours or of the network, then that it is not MCP. */
function rejectionToOpen({ taken, failure }: Line): Error {
  const last = taken.at(-1) ?? null;
  if (last !== null && isLimiterRejection(last))
    return new Stop('interference', 'a rate limit rejected every request to the MCP endpoint');
  if (failure instanceof Error) return failure;
  return new NotOpened('the official client cannot negotiate with it', last);
}

/** Reads at most ten pages, because an endpoint can return endless cursors. */
async function listTools(line: Line, client: McpClient): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < toolPagesMax; page += 1) {
    const exchange = await sendRequest(line, client, ['tools/list', cursor === undefined ? {} : { cursor }]);
    if (toolsOf(exchange) === null) throw new NotOpened('tools/list shows no tools', exchange);
    const result = responseOf(exchange.json)?.result;
    if (!isObject(result) || typeof result.nextCursor !== 'string') break;
    cursor = result.nextCursor;
  }
}

/** A tool that hangs or drops the connection says nothing about the others. */
async function sendToolCall(
  line: Line,
  client: McpClient,
  params: { name: string; arguments: unknown },
): Promise<Exchange> {
  try {
    return await sendRequest(line, client, ['tools/call', params]);
  } catch (error) {
    throw error instanceof NoResponse ? new Stop('unreachable', `${params.name}: ${error.message}`) : error;
  }
}

/** One request of the client; the exchange that holds the response, or the last one when none does. */
async function sendRequest(
  line: Line,
  client: McpClient,
  [method, params]: [string, Record<string, unknown>],
): Promise<Exchange> {
  line.taken.length = 0;
  line.failure = null;
  const giveUp = new AbortController();
  await settles(line, client.request(method, params, giveUp.signal));
  line.isMuted = true;
  giveUp.abort();
  await line.sender.turn();
  line.isMuted = false;
  if (line.failure !== null) throw line.failure;
  const exchange = line.taken.find(({ json }) => responseOf(json) !== undefined) ?? line.taken.at(-1);
  if (!exchange) throw new NotOpened(`the official client sends no ${method}`, null);
  return exchange;
}

/** False when it fails, or when nothing is under way any more and the client still waits. */
async function settles(line: Line, work: Promise<void>): Promise<boolean> {
  let outcome: boolean | null = null;
  const end = work.then(
    () => {
      outcome = true;
    },
    () => {
      outcome = false;
    },
  );
  for (let turns = 0; outcome === null && turns < turnsMax; turns += 1) {
    if (line.underWay !== null) turns = 0;
    await Promise.race([end, line.underWay ?? line.sender.turn()]);
  }
  return outcome ?? false;
}

/** Makes `settles` wait for pending work instead of counting turns. */
function track<T>(line: Line, work: Promise<T>): Promise<T> {
  const quietly = work
    .catch(() => undefined)
    .then(() => {
      if (line.underWay === quietly) line.underWay = null;
    });
  line.underWay = quietly;
  return work;
}

/** The client calls this instead of `fetch`. */
function carry(line: Line, request: CarriedRequest): Promise<Response> {
  // The stream of a session is optional; it would only wait for the time-out.
  const isListening = request.method === 'GET' && request.headers['last-event-id'] === undefined;
  if (isListening) return Promise.resolve(new Response(null, { status: 405 }));
  if (line.isMuted) return Promise.resolve(new Response(null, { status: 202 }));
  return track(line, send(line, request));
}

/** Every request of the client goes through the sender, which paces, records and checks it. */
async function send(line: Line, { method, headers, body }: CarriedRequest): Promise<Response> {
  const message: unknown = body === null ? null : JSON.parse(body);
  const name = isObject(message) ? String(message.method) : '';
  const { isWrite = false, label } = name === 'tools/call' ? line.call : {};
  const spec: RequestSpec = {
    mcpEndpoint: 'mcp',
    key: line.key,
    method,
    headers,
    ...(body === null ? {} : { bytes: new TextEncoder().encode(body) }),
    repeatable: !isWrite,
    ...(label === undefined ? {} : { label }),
  };
  try {
    const exchange = await (isWrite ? line.sender.write({ spec }) : sendOrStop(line.sender, spec));
    line.taken.push(exchange);
    return toResponse(exchange);
  } catch (error) {
    line.failure = error;
    throw error;
  }
}

/** Network trouble ends the check; other responses during negotiation are for the client to handle. */
async function sendOrStop(sender: Sender, spec: RequestSpec): Promise<Exchange> {
  const exchange = await sender.raw({ spec });
  if (!hasResponse(exchange)) {
    throw new NoResponse(`the MCP endpoint gave no complete response: ${exchange.problemDetail ?? exchange.problem}`);
  }
  if (isLimiterRejection(exchange))
    throw new Stop('interference', 'a rate limit rejected the request again after the stated wait time');
  return exchange;
}

const bodiless: readonly number[] = [204, 205, 304];

/** Only what the client reads: type, session and body. A status that `Response` cannot hold becomes 500. */
function toResponse({ status, headers, bodyText }: Exchange): Response {
  const passed = ['content-type', 'mcp-session-id'].flatMap((name): [string, string][] =>
    headers[name] === undefined ? [] : [[name, headers[name]]],
  );
  const isUsual = status >= 200 && status <= 599;
  const body = bodiless.includes(status) ? null : bodyText;
  return new Response(body, { status: isUsual ? status : 500, headers: passed });
}
