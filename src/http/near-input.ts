// Marks the response to an input that a profile does not cover: the mock treats it like the nearest one.
import type { BehaviorId } from '../contract/generated/behaviors.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import { inputBehavior } from '../contract/input-classes.ts';
import { readQuery } from './query.ts';
import type { Routing } from './route.ts';

/** Returns `emptySince=assumed as badSince` for such an input of a request; null for all others. */
export function nearInput(routing: Routing, query: string, near: ReadonlyMap<BehaviorId, BehaviorId>): string | null {
  if (near.size === 0 || query === '' || typeof routing === 'string') return null;
  const { operation } = routing;
  for (const [name, text] of Object.entries(readQuery(query))) {
    const id = inputBehavior(operation.id as OperationId, name, text);
    const other = id === null ? undefined : near.get(id);
    if (other !== undefined) return `${id}=assumed as ${other}`;
  }
  return null;
}
