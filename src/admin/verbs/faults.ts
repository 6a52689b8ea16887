// Errors on demand: rules that say which requests are to fail, and how.
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import { type ToolName, tools } from '../../contract/generated/tools.ts';
import {
  ambiguity,
  type FaultEntry,
  type FaultRule,
  faultErrorNames,
  faultStatuses,
  latencyMaxMs,
  networkFaults,
  readErrorWord,
  retryAfterMaxS,
} from '../../domain/faults.ts';
import type { Engine } from '../../engine/engine.ts';
import { parseFaultSpec } from '../../engine/fault-spec.ts';
import type { CoreResponse } from '../../http/message.ts';
import { fail, reply } from '../reply.ts';
import { as, number, object, oneOf, optional, orNull, type Reader, type Shaped, text } from '../shape.ts';
import { verb } from '../verb.ts';

// Every request is held against every rule.
const rulesMax = 1000;

/** A status as a number or a text, a code, or the name of an error. */
const errorWord: Reader<string> = (value, name) => {
  const word = typeof value === 'number' ? String(value) : value;
  if (typeof word !== 'string') return text()(word, name);
  const found = readErrorWord(word);
  return typeof found === 'string' ? { ok: false, problem: `${name}: ${found}` } : { ok: true, value: word };
};

const wholeSeconds = number({ min: 0, max: retryAfterMaxS, whole: true });

const bodyCharactersMax = 1_000_000;
const aBody: Reader<unknown> = (value, name) => {
  const length = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length;
  if (length <= bodyCharactersMax) return { ok: true, value };
  return { ok: false, problem: `${name} must have at most ${bodyCharactersMax} characters.` };
};

/** Headers of the connection belong to the transport. */
const someHeaders: Reader<Readonly<Record<string, string>>> = (value, name) => {
  const entries = value !== null && typeof value === 'object' ? Object.entries(value) : [['', '']];
  const bad = entries.find(
    ([header = '', text]) =>
      !/^[\w-]{1,100}$/.test(header) ||
      /^(content-length|connection|date|keep-alive|transfer-encoding|upgrade|trailer)$/i.test(header) ||
      !/^[\x20-\x7e]{0,4000}$/.test(typeof text === 'string' ? text : '\n'),
  );
  if (bad === undefined) return { ok: true, value: value as Readonly<Record<string, string>> };
  const form = 'an object of header names and printable ASCII texts, without headers of the connection';
  return { ok: false, problem: `${name} must be ${form}. Check ${JSON.stringify(bad[0])}.` };
};

const errorSchema = { type: ['string', 'integer'], enum: [...faultErrorNames, ...faultStatuses] };

/** An operation of both endpoints, or a tool of the MCP endpoint. */
export const operationName = oneOf([...Object.keys(operations), ...Object.keys(tools)] as (OperationId | ToolName)[]);

const matching = {
  operation: optional(operationName, 'Only requests of this operation or tool, such as listSites (default: all)'),
  accountId: optional(text(), 'Only requests for this account'),
  key: optional(text(), 'Only requests with this API key'),
  ip: optional(text(), 'Only requests of this IP address'),
} as const;

const responding = {
  status: optional(number({ min: 200, max: 599, whole: true }), 'Status (default: 200)'),
  body: optional(aBody, 'Body: a text is sent as is, anything else as JSON'),
  headers: optional(as({ type: 'object' }, someHeaders), 'Header names and texts'),
} as const;

const counting = {
  id: optional(text(100), 'ID (default: generated). Replaces the fault with the same ID'),
  skip: optional(number({ min: 0, max: 1_000_000, whole: true }), 'Number of matching requests before the first'),
  times: optional(number({ min: 1, max: 1_000_000, whole: true }), 'Number of requests (default: all)'),
} as const;

const failing = {
  spec: optional(text(), 'The whole fault in one line, for example listReviews=network:reset@1x'),
  error: optional(as(errorSchema, errorWord), 'Name, code or status of the error'),
  network: optional(oneOf(networkFaults), 'Network fault'),
  latencyMs: optional(number({ min: 0, max: latencyMaxMs, whole: true }), 'Delay of the response in milliseconds'),
  retryAfterS: orNull(wholeSeconds, 'Retry-After of a 429 in seconds, or null for none'),
  resetS: optional(wholeSeconds, 'X-RateLimit-Reset of a 429, in seconds from now (default: retryAfterS)'),
  probability: optional(number({ min: 0, max: 1 }), 'Share of the matching requests, for example 0.1'),
} as const;

export const faultShape = {
  match: optional(object(matching), 'Conditions that a request must match (default: none)'),
  ...failing,
  respond: optional(object(responding), 'Response after rate limits and key. The request log marks violations'),
  ...counting,
} as const;

export type FaultInput = Shaped<typeof faultShape>;

export const faultVerbs = {
  listFaults: verb('GET /faults', 'All faults.', null, ({ engine }) => listAll(engine)),
  addFault: verb(
    'POST /faults',
    'Add a fault. Makes requests fail. Pass an error (such as transient), a network fault or a delay.',
    faultShape,
    ({ engine }, input) => {
      if (engine.faults.list().length >= rulesMax)
        return fail(409, `There are ${rulesMax} rules already; remove some.`);
      return keep(engine, input, { id: input.id ?? engine.faults.newId(), status: 201 });
    },
    {
      tools: [
        { name: 'fault', word: 'spec', input: { ...matching, ...failing, ...counting }, nest: { match: matching } },
        {
          name: 'respond',
          text: 'Return a custom response. Rate limits and keys still apply. casa_clear removes it.',
          word: 'operation',
          input: { ...matching, ...responding, ...counting },
          nest: { match: matching, respond: responding },
        },
      ],
    },
  ),
  clearFaults: verb(
    'DELETE /faults',
    'Remove all faults and custom responses.',
    null,
    ({ engine }) => {
      engine.faults.clear();
      return listAll(engine);
    },
    { tools: ['clear'] },
  ),
  /** The id is the caller's, so a script may run twice and still have one rule. */
  putFault: verb(
    'PUT /faults/{id}',
    'Create or replace a fault.',
    faultShape,
    ({ engine, path: { id = '' } }, input) => {
      if (input.id !== undefined && input.id !== id) return fail(400, `id must be the id in the path, "${id}".`);
      return keep(engine, input, { id, status: 200 });
    },
  ),
  removeFault: verb('DELETE /faults/{id}', 'Delete a fault.', null, ({ engine, path: { id = '' } }) =>
    engine.faults.remove(id)
      ? reply({ removed: id })
      : fail(404, `There is no fault "${id}"; GET /__admin/faults lists them.`),
  ),
} as const;

const listAll = ({ faults }: Engine) => reply({ faults: faults.list().map(describe) });

/** Returns the rule, or a sentence that explains why it is invalid. `warn` gets a sentence for each ambiguous part. */
export function readRule(input: FaultInput, id: string, warn?: (sentence: string) => void): FaultRule | string {
  const { id: _, spec, match = {}, error, ...others } = input;
  if (spec !== undefined) {
    const beside = Object.keys(input).filter((name) => name !== 'id' && name !== 'spec');
    if (beside.length > 0) return `spec contains the whole rule; leave out ${beside.join(', ')}.`;
    try {
      return parseFaultSpec(spec, id, warn);
    } catch (failure) {
      return (failure as RangeError).message;
    }
  }
  const { respond, network, latencyMs } = input;
  const isIdle = [error, respond, network, latencyMs].every((effect) => effect === undefined);
  // A rule without effect would count requests and do nothing, which is never meant.
  if (isIdle) return 'The rule must have an effect: error, respond, network, latencyMs or spec.';
  if (error === undefined) return { id, match, ...others };
  if (respond !== undefined) return 'error and respond exclude each other: remove one.';
  const found = readErrorWord(error);
  const sentence = ambiguity(error);
  if (sentence !== null) warn?.(sentence);
  return typeof found === 'string' ? found : { id, match, ...found, ...others };
}

/** Puts the rule in force, and replies with it and with what its author should know. */
function keep({ faults }: Engine, input: FaultInput, { id, status }: { id: string; status: number }): CoreResponse {
  const warnings: string[] = [];
  const rule = readRule(input, id, (sentence) => warnings.push(sentence));
  if (typeof rule === 'string') return fail(400, rule);
  faults.add(rule);
  return reply({ ...describe({ rule, struck: 0 }), ...(warnings.length > 0 && { warnings }) }, status);
}

/** The count next to the rule, in one object, as the document shows it. */
function describe({ rule: { id, match, ...effects }, struck }: FaultEntry) {
  return { id, match, ...effects, struck };
}
