// Errors on demand: rules that say which requests are to fail, and how.
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { type ToolName, tools } from '../contract/generated/tools.ts';
import {
  ambiguity,
  type FaultEntry,
  type FaultRule,
  latencyMaxMs,
  networkFaults,
  readErrorWord,
  retryAfterMaxS,
} from '../domain/faults.ts';
import type { Engine } from '../engine/engine.ts';
import { parseFaultSpec } from '../engine/fault-spec.ts';
import type { CoreResponse } from '../http/message.ts';
import { type AdminCall, fail, reply, withBody } from './reply.ts';
import { number, object, oneOf, optional, orNull, type Reader, type Shaped, text } from './shape.ts';

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

const respondShape = {
  status: optional(number({ min: 200, max: 599, whole: true })),
  body: aBody,
  headers: optional(someHeaders),
} as const;

export const faultShape = {
  id: optional(text(100)),
  spec: optional(text()),
  match: optional(
    object({
      operation: optional(oneOf([...Object.keys(operations), ...Object.keys(tools)] as (OperationId | ToolName)[])),
      accountId: optional(text()),
      key: optional(text()),
      ip: optional(text()),
    }),
  ),
  error: optional(errorWord),
  respond: optional(object(respondShape)),
  network: optional(oneOf(networkFaults)),
  latencyMs: optional(number({ min: 0, max: latencyMaxMs, whole: true })),
  /** Null leaves the header out. */
  retryAfterS: orNull(wholeSeconds),
  resetS: optional(wholeSeconds),
  skip: optional(number({ min: 0, max: 1_000_000, whole: true })),
  times: optional(number({ min: 1, max: 1_000_000, whole: true })),
  probability: optional(number({ min: 0, max: 1 })),
} as const;

export type FaultInput = Shaped<typeof faultShape>;

export const listFaults = ({ engine }: AdminCall) => reply({ faults: engine.faults.list().map(describe) });

export const addFault = ({ engine, request }: AdminCall) =>
  withBody(request, faultShape, (input) => {
    if (engine.faults.list().length >= rulesMax) return fail(409, `There are ${rulesMax} rules already; remove some.`);
    return keep(engine, input, { id: input.id ?? engine.faults.newId(), status: 201 });
  });

export const clearFaults = (call: AdminCall) => {
  call.engine.faults.clear();
  return listFaults(call);
};

/** The id is the caller's, so a script may run twice and still have one rule. */
export const putFault = ({ engine, request, path }: AdminCall) =>
  withBody(request, faultShape, (input) => {
    const id = path.id ?? '';
    if (input.id !== undefined && input.id !== id) return fail(400, `id must be the id in the path, "${id}".`);
    return keep(engine, input, { id, status: 200 });
  });

export const removeFault = ({ engine, path }: AdminCall) =>
  engine.faults.remove(path.id ?? '') ? reply({ removed: path.id }) : unknownFault(path.id);

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

/** Says where the ids are to be found. */
function unknownFault(id: string | undefined): CoreResponse {
  return fail(404, `There is no fault "${id}"; GET /__admin/faults lists them.`);
}
