// Errors on demand: rules that say which requests are to fail, and how.
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { type ToolName, tools } from '../contract/generated/tools.ts';
import { faultErrorNamed, faultErrorNames } from '../domain/errors-on-demand.ts';
import { type FaultRule, latencyMaxMs, networkFaults } from '../domain/faults.ts';
import type { Engine } from '../engine/engine.ts';
import type { CoreResponse } from '../http/message.ts';
import { withBody } from './body.ts';
import { type AdminCall, fail, reply } from './reply.ts';
import { list, number, object, oneOf, optional, type Shaped, text } from './shape.ts';

// Every request is held against every rule.
const rulesMax = 1000;

export const faultShape = {
  id: optional(text(100)),
  match: optional(
    object({
      operation: optional(oneOf([...Object.keys(operations), ...Object.keys(tools)] as (OperationId | ToolName)[])),
      accountId: optional(text()),
      key: optional(text()),
      ip: optional(text()),
    }),
  ),
  error: optional(oneOf(faultErrorNames)),
  network: optional(oneOf(networkFaults)),
  latencyMs: optional(number({ min: 0, max: latencyMaxMs, whole: true })),
  times: optional(number({ min: 1, max: 1_000_000, whole: true })),
  probability: optional(number({ min: 0, max: 1 })),
} as const;

/** A rule as it was sent, before it has an id. */
export type FaultInput = Shaped<typeof faultShape>;

export const listFaults = ({ engine }: AdminCall) => reply({ faults: engine.faults.list().map(describe) });

export const addFault = ({ engine, request }: AdminCall) =>
  withBody(request, faultShape, (input) => {
    if (engine.faults.list().length >= rulesMax) return fail(409, `There are ${rulesMax} rules already; remove some.`);
    return keep(engine, input, input.id ?? freeId(engine)) ?? reply(describe(newest(engine)), 201);
  });

/** All rules are checked before one is changed: a bad one leaves things as they were. */
export const replaceFaults = (call: AdminCall) =>
  withBody(call.request, { faults: list(object(faultShape), rulesMax) }, ({ faults }) => {
    const nameless = faults.findIndex(hasNoEffect);
    if (nameless !== -1) return fail(400, `faults[${nameless}] ${noEffect}`);
    call.engine.faults.clear();
    for (const input of faults) keep(call.engine, input, input.id ?? freeId(call.engine));
    return listFaults(call);
  });

export const clearFaults = (call: AdminCall) => {
  call.engine.faults.clear();
  return listFaults(call);
};

export const getFault = ({ engine, path }: AdminCall) => {
  const entry = engine.faults.list().find((other) => other.rule.id === path.id);
  return entry ? reply(describe(entry)) : unknownFault(path.id);
};

/** The id is the caller's, so that a script may run twice and still have one rule. */
export const putFault = ({ engine, request, path }: AdminCall) =>
  withBody(request, faultShape, (input) => {
    const id = path.id ?? '';
    if (input.id !== undefined && input.id !== id) return fail(400, `id has to be that of the path, "${id}".`);
    return keep(engine, input, id) ?? reply(describe(newest(engine)));
  });

export const removeFault = ({ engine, path }: AdminCall) =>
  engine.faults.remove(path.id ?? '') ? reply({ removed: path.id }) : unknownFault(path.id);

const noEffect = 'has to have an effect: error, network or latencyMs.';

/** A rule without effect would count requests and do nothing, which is never meant. */
function hasNoEffect({ error, network, latencyMs }: FaultInput): boolean {
  return error === undefined && network === undefined && latencyMs === undefined;
}

/** What is wrong with a rule whose fields are right; null for nothing. */
export function ruleProblem(input: FaultInput): string | null {
  return hasNoEffect(input) ? `The rule ${noEffect}` : null;
}

/** The refusal, or null when the rule is in force. */
function keep(engine: Engine, input: FaultInput, id: string): CoreResponse | null {
  const problem = ruleProblem(input);
  if (problem !== null) return fail(400, problem);
  const error = input.error === undefined ? undefined : (faultErrorNamed(input.error) ?? undefined);
  engine.faults.add({ ...input, ...(error && { error }), id, match: input.match ?? {} } as FaultRule);
  return null;
}

/** `add` puts a rule last, also one that replaces another. */
function newest({ faults }: Engine): Entry {
  return faults.list().at(-1) as Entry;
}

/** A rule and its count, as the engine lists them. */
interface Entry {
  readonly rule: FaultRule;
  readonly struck: number;
}

/** The count beside the rule, in one object, as the document shows it. */
function describe({ rule: { id, match, ...effects }, struck }: Entry) {
  return { id, match, ...effects, struck };
}

// Rules may carry names of their own, and one of them may be the next number.
function freeId({ faults }: Engine): string {
  const taken = new Set(faults.list().map((entry) => entry.rule.id));
  let n = taken.size + 1;
  while (taken.has(`fault-${n}`)) n += 1;
  return `fault-${n}`;
}

/** Says where the ids are to be found. */
function unknownFault(id: string | undefined): CoreResponse {
  return fail(404, `There is no fault "${id}"; GET /__admin/faults lists them.`);
}
