// The classes of input that a service may treat alike. spec/behaviors.yaml has a behavior for each. The suite and the
// mock use this function to find the class of a text.

import { type BehaviorId, type Behaviors, behaviors, type InputClass, type InputRow } from './generated/behaviors.ts';
import { articlesLimit, callsLimit } from './generated/limits.ts';
import type { OperationId } from './generated/operations.ts';
import { parseTimestamp } from './timestamps.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const nsPerMs = 1_000_000n;

/** Returns the class of an invalid or unusual text; null for a usual one. */
export function classOfInput(input: Pick<InputRow, 'operations' | 'name'>, value: unknown, nowMs = Number.NaN) {
  const text = String(value);
  if (text === '') return 'empty' satisfies InputClass;
  const has = (operation: OperationId) => input.operations.includes(operation);
  switch (input.name) {
    case 'limit':
      return classOfLimit(text, has('listCalls') ? callsLimit.max : articlesLimit.max);
    case 'since':
    case 'cursor': {
      if (has('listReviews')) return 'text';
      const timestamp = parseTimestamp(text);
      if (timestamp === null) return 'text';
      return input.name === 'since' && timestamp > BigInt(Math.trunc(nowMs || 1e15)) * nsPerMs ? 'future' : null;
    }
    case 'range':
      return null;
    default:
      return uuid.test(text) ? null : 'text';
  }
}

/** Some servers read `5x` as a number, so only a text without digits is of the class `text`. */
function classOfLimit(text: string, max: number): InputClass | null {
  if (/^\d+\.\d+$/.test(text)) return 'fraction';
  if (!/^-?\d{1,15}$/.test(text)) return /\d/.test(text) ? null : 'text';
  const value = Number(text);
  return value > max ? 'above' : value === 0 ? 'zero' : value < 0 ? 'negative' : null;
}

/** The behaviors of spec/behaviors.yaml with an `input`. */
export type InputId = {
  [Id in BehaviorId]: (typeof behaviors)[Id] extends { readonly input: object } ? Id : never;
}[BehaviorId];

/** The behaviors that react to a class of input. */
export const inputRows = (Object.entries(behaviors) as [InputId, { input?: InputRow }][]).flatMap(([id, { input }]) =>
  input === undefined ? [] : [{ id, ...input }],
);

/** Returns the same for each of them. */
export function forInputs<Value>(of: (row: (typeof inputRows)[number]) => Value): { readonly [Id in InputId]: Value } {
  return Object.fromEntries(inputRows.map((row) => [row.id, of(row)])) as { readonly [Id in InputId]: Value };
}

/** Returns the behavior for an input; null if it is a usual one. `5x` has no class, and `text` is the nearest. */
export function inputBehavior(operation: OperationId, name: string, value: unknown): InputId | null {
  const own = inputRows.filter((row) => row.name === name && row.operations.includes(operation));
  const [first] = own;
  const usual = name === 'limit' && !/^-?\d{1,15}$/.test(String(value)) ? 'text' : null;
  const found = first === undefined ? null : (classOfInput(first, value) ?? usual);
  return own.find((row) => row.class === found)?.id ?? null;
}

/** Returns the behaviors of inputs that `chosen` lacks, with those of the nearest input that it has. */
export function nearestInputs(chosen: Partial<Behaviors>): Map<BehaviorId, BehaviorId> {
  const found = new Map<BehaviorId, BehaviorId>();
  for (const { id, nearest } of inputRows) {
    if (chosen[id] !== undefined) continue;
    let other = nearest as BehaviorId | undefined;
    const tried = new Set<string>([id]);
    while (other !== undefined && chosen[other] === undefined && !tried.has(other)) {
      tried.add(other);
      other = inputRows.find((row) => row.id === other)?.nearest as BehaviorId | undefined;
    }
    const values: readonly unknown[] = (behaviors[id] as { values: readonly unknown[] }).values;
    if (other !== undefined && values.includes(chosen[other])) found.set(id, other);
  }
  return found;
}
