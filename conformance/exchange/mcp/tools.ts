// The MCP endpoint in a history: its tools, the replies to calls, and requests that can be sent in other ways. Pure
// look-ups.
import { parseJson } from '../../../src/contract/json.ts';
import { words } from '../../../src/contract/words.ts';
import { type CallPage, makePage } from '../call-log.ts';
import { responseOf } from '../event-stream.ts';
import { type Exchange, hasResponse, isLimiterRejection, isObject, type KeyName } from '../exchange.ts';
import { type Given, type History, oncePer } from '../history.ts';
import { isBreakdown, type Reply, readReply } from './reply.ts';

/** A tool as `tools/list` reports it. */
export interface Tool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The exchange that shows it. */
  readonly exchange: Exchange;
}

/** A reply to a call. */
export interface ToolReply extends Reply {
  readonly tool: string;
  /** The same call failed with an internal error just before. */
  readonly isAgain: boolean;
}

/** A request as the client has worded it, ready to be sent in other ways. */
export interface Sample {
  readonly headers: Readonly<Record<string, string>>;
  readonly message: Readonly<Record<string, unknown>>;
}

/** The tools that the contract names; those of the connect operations are found by their inputs. */
export const familyNames = words('list_reviews inbox_list customers_list calls_log dialer_import_contacts');
export type FamilyName = (typeof familyNames)[number];

type Fields = Readonly<Record<string, unknown>>;

/** The JSON-RPC message of a request; null for a long one, whose text is not kept. */
export const messageOf = oncePer(({ mcpEndpoint, requestBody }: Exchange): Fields | null => {
  const message = mcpEndpoint === undefined ? null : parseJson(requestBody.text ?? '', null);
  return isObject(message) ? message : null;
});

/** Exchanges with the MCP endpoint. */
export function ofMcp({ exchanges }: History, key: KeyName = 'good'): readonly Exchange[] {
  return exchanges.filter((one) => one.mcpEndpoint === 'mcp' && one.key === key);
}

/** Rejected by a limiter: in its form, or with its words and another status. */
export function isBlocked(one: Exchange): boolean {
  if (one.mcpEndpoint === undefined) return false;
  const { status, key, json, bodyText } = one;
  const hasWords = /rate.?limit/i.test(bodyText.slice(0, 2000));
  // In a result the words can be unrelated, for example in a schema.
  const isDisguised = key !== 'good' && status !== 401 && responseOf(json)?.result === undefined && hasWords;
  return isLimiterRejection(one) || isDisguised;
}

/** The requests with that method, each with the exchange that has its response: a stream can be resumed with GET. */
function asked(history: History, method: string, key: KeyName): { readonly sent: Exchange; readonly got: Exchange }[] {
  const all = ofMcp(history, key).filter(({ burst }) => !burst);
  const repeated = new Set(all.map(({ repeatOf }) => repeatOf));
  return all.flatMap((sent, place) => {
    if (messageOf(sent)?.method !== method || repeated.has(sent.id)) return [];
    const next = all.slice(place + 1);
    const end = next.findIndex(({ method }) => method !== 'GET');
    const resumed = end < 0 ? next : next.slice(0, end);
    const isWhole = ({ json }: Exchange) => responseOf(json) !== undefined;
    return [{ sent, got: [sent, ...resumed].find(isWhole) ?? resumed.at(-1) ?? sent }];
  });
}

/** Of one response to `tools/list`; null if it shows no list. */
export function toolsOf(exchange: Exchange): readonly Tool[] | null {
  const result = responseOf(exchange.json)?.result;
  if (!isObject(result) || !Array.isArray(result.tools)) return null;
  return result.tools.flatMap((tool) => {
    if (!isObject(tool) || typeof tool.name !== 'string') return [];
    return [{ name: tool.name, inputSchema: isObject(tool.inputSchema) ? tool.inputSchema : {}, exchange }];
  });
}

/** Null where the endpoint has not been opened with that key. */
export function toolsIn(history: History, key: KeyName = 'good'): readonly Tool[] | null {
  const lists = asked(history, 'tools/list', key).flatMap(({ got }) => {
    const tools = toolsOf(got);
    return tools === null ? [] : [tools];
  });
  return lists.length === 0 ? null : lists.flat();
}

export function toolIn(history: History, name: FamilyName): Tool | undefined {
  return toolsIn(history)?.find((tool) => tool.name === name);
}

/** Some servers put the name of the service before that of the tool. */
export function nameMissing(history: History, name: FamilyName): string {
  const like = toolsIn(history)?.find((tool) => tool.name.endsWith(name));
  const hint = like === undefined ? '' : `; ${like.name} looks like it, but has another name`;
  return `the MCP endpoint has no tool ${name}${hint}`;
}

const readOf = oncePer((sent: Exchange, got: Exchange): ToolReply | null => {
  const params = messageOf(sent)?.params;
  if (!isObject(params) || !hasResponse(got) || isLimiterRejection(got)) return null;
  const input = isObject(params.arguments) ? params.arguments : {};
  return { ...readReply(got, input), tool: String(params.name), isAgain: false };
});

/** The replies of a tool, or of all; one breakdown may be bad luck, so the repeated call counts (R1, R2). */
export function repliesIn(history: History, tool?: string, key: KeyName = 'good'): readonly ToolReply[] {
  const all = asked(history, 'tools/call', key).flatMap(({ sent, got }) => readOf(sent, got) ?? []);
  const nameOf = (one?: ToolReply) => `${one?.tool} ${JSON.stringify(one?.input)}`;
  const isRepeated = all.map((one, place) => isBreakdown(one) && nameOf(one) === nameOf(all[place + 1]));
  const counted = all.map((one, place) => (isRepeated[place - 1] ? { ...one, isAgain: true } : one));
  return counted.filter((one, place) => (tool ?? one.tool) === one.tool && !isRepeated[place]);
}

/** Null for a reply without a list of calls. */
export function toCallPage({ input, data, exchange }: Reply, given: Given): CallPage | null {
  if (!isObject(data) || !Array.isArray(data.calls)) return null;
  const since = typeof input.since === 'string' ? input.since : null;
  const limit = typeof input.limit === 'number' ? input.limit : null;
  return makePage(exchange, { since, limit, calls: data.calls, nextCursor: data.nextCursor }, given);
}

/** The headers of the official client; the others are those of the suite and of the user. */
const isOfClient = (name: string) => /^(accept|content-type|mcp-.*)$/.test(name);

/** The last request with that method; null if the client has sent none. */
export function sampleIn(
  history: History,
  method: 'initialize' | 'tools/list' | 'tools/call',
  key: KeyName = 'good',
): Sample | null {
  const sent = asked(history, method, key).at(-1)?.sent;
  const message = sent === undefined ? null : messageOf(sent);
  if (sent === undefined || message === null) return null;
  const headers = Object.fromEntries(Object.entries(sent.requestHeaders).filter(([name]) => isOfClient(name)));
  return { headers, message };
}

/** The headers of the session; null where the endpoint has none. */
export function sessionIn(history: History, key: KeyName = 'good'): Sample['headers'] | null {
  const { headers = {} } = sampleIn(history, 'tools/list', key) ?? {};
  return headers['mcp-session-id'] === undefined ? null : headers;
}
