// Tools with which an agent controls the mock. Its client uses the API instead. A tool is a control verb with a cell
// `tools`, so people and agents have the same rules and the same rejections; or one of the four rows below.

import { type ClauseId, clauses } from '../../contract/generated/clauses.ts';
import { type Interpretation, interpretations } from '../../contract/generated/interpretations.ts';
import { count } from '../../terminal/count.ts';
import { didYouMean } from '../../terminal/suggestion.ts';
import type { AdminAsk, HttpResponse } from '../reply.ts';
import { about, type JsonSchema, number, optional, type Shape, schemaOf, text } from '../shape.ts';
import { pathShape, requestOf, type ToolRow, type VerbRow } from '../verb.ts';
import { verbs } from '../verbs/index.ts';

/** The arguments of a call, unchecked. */
export type Values = Readonly<Record<string, unknown>>;

/** Asks the admin API; over a socket where the agent is in another process. */
export type Ask = (request: AdminAsk) => HttpResponse | Promise<HttpResponse>;

/** One tool. The agent reads the schema; the route checks the values. */
export interface AgentTool {
  readonly name: string;
  /** Of `casa ctl`. */
  readonly verb: string;
  /** The argument that a word after the verb means. */
  readonly word: string | undefined;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  readonly effect: 'reads' | 'changes' | 'discards';
  run(values: Values, ask: Ask): HttpResponse | Promise<HttpResponse>;
}

/** The first sentence of the description is the title. */
function makeTool(
  verb: string,
  shape: Shape,
  rest: Omit<AgentTool, 'name' | 'verb' | 'title' | keyof Schema>,
): AgentTool {
  const { properties, required } = schemaOf(shape) as unknown as Schema;
  const title = rest.description.split('. ')[0]?.replace(/\.$/, '') ?? '';
  return { name: `casa_${verb}`, verb, title, properties, required, ...rest, word: rest.word ?? required[0] };
}

type Schema = Pick<AgentTool, 'properties' | 'required'>;

/** Request log entries are large; a model needs few. */
const requestLogUsual = 10;

const requestId = optional(number({ min: 1, max: Number.MAX_SAFE_INTEGER, whole: true }), 'Return only this request');

const reading: readonly (readonly [name: string, description: string, input: Shape, run: AgentTool['run']])[] = [
  [
    'status',
    'State of the mock. ' +
      'Returns base URL, clock, rate limits, faults, organizations with accounts, and the number of requests.',
    {},
    async (_, ask) => {
      const { getHealth: health, getLimits: limits, listFaults: faults, listOrganizations: organizations } = verbs;
      const parts = { health, limits, faults, organizations };
      const responses = await Promise.all(Object.values(parts).map((row) => ask(requestOf(row, {}))));
      const failed = responses.find(({ status }) => status >= 400);
      const bodies = Object.keys(parts).map((part, at) => [part, responses[at]?.body]);
      return failed ?? { status: 200, body: Object.fromEntries(bodies) };
    },
  ],
  [
    'requests',
    'Requests of the client. ' +
      'Returns the newest with their responses and the reason of each rejection. Pass an id for a complete one.',
    { id: requestId, ...verbs.listRequests.input },
    ({ id, ...wanted }, ask) =>
      id === undefined
        ? ask(requestOf(verbs.listRequests, { limit: requestLogUsual, ...wanted }))
        : ask(requestOf(verbs.getRequest, { id })),
  ],
  [
    'violations',
    'Violations of the client against sections 5, 6 and 7 of the contract. ' +
      'Each has its clause and its requests. An empty list is meaningful only if the client sent requests.',
    {},
    reviewRequests,
  ],
  [
    'explain',
    'Explain a clause. ' +
      'Returns a clause of the contract, for example 8.post-text, and the interpretations of its details.',
    { clause: about('ID of a clause, or a prefix such as 4.calls', text()) },
    ({ clause }) => explain(String(clause ?? '')),
  ],
];

function toolOfVerb(row: VerbRow, tool: ToolRow): AgentTool {
  const { name, text: description = row.text, word, input = row.input, nest = {} } = tool;
  const run = (values: Values, ask: Ask) => {
    const rest = { ...values };
    for (const [object, fields] of Object.entries(nest)) {
      const own = Object.entries(values).filter(([field]) => Object.hasOwn(fields, field));
      for (const [field] of own) delete rest[field];
      // A response without fields has the status 200.
      if (own.length > 0 || object === name) rest[object] = Object.fromEntries(own);
    }
    return ask(requestOf(row, rest));
  };
  const usual = row.route.startsWith('GET') ? 'reads' : 'changes';
  const effect = row.discards || row.route.startsWith('DELETE') ? 'discards' : usual;
  return makeTool(name, { ...pathShape(row), ...input }, { description, word, effect, run });
}

/** In the order in which they are listed. */
export const agentTools: readonly AgentTool[] = [
  ...reading.map(([name, description, input, run]) =>
    makeTool(name, input, { description, word: undefined, effect: 'reads', run }),
  ),
  ...Object.values(verbs).flatMap((row: VerbRow) =>
    (row.tools ?? []).map((tool) => toolOfVerb(row, typeof tool === 'string' ? { name: tool } : tool)),
  ),
];

/** Without requests, there is no result. */
async function reviewRequests(_: Values, ask: Ask): Promise<HttpResponse> {
  const [violations, health] = await Promise.all([
    ask(requestOf(verbs.listViolations, {})),
    ask(requestOf(verbs.getHealth, {})),
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
    return { id, fact, basis, at, interpretations: about.map(([name, { text: words }]) => `${name}: ${words}`) };
  });
  return { status: 200, body: { clauses: shown, total: found.length } };
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
  const missing = tool.required.find((name) => values[name] === undefined);
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
