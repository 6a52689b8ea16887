// Shared by handlers: formats values as the variant requires.
import { isUuid, writeId } from './ids.ts';
import { toNs, writePlain, writeTimestamp } from './time.ts';
import type { Context } from './types.ts';

/** `reference` is an id that names another record: a variant may write it in another case. */
export function showId(context: Context, id: string, reference = false): string {
  return isUuid(id) ? writeId(id, context.variant.idCase, reference) : id;
}

/** For the fields that the contract promises as ISO 8601 (R7). */
export function showTime(context: Context, ms: number): string {
  return writeTimestamp(toNs(ms), context.variant.timeFormat);
}

/** For times that are plain strings in the contract. */
export function showPlain(context: Context, ms: number): string {
  return writePlain(ms, context.variant.plainTimes, context.variant.timeFormat);
}

/** Extra fields at the depth the variant allows them. */
export function extra(context: Context, depth: 'outer' | 'deep'): Record<string, unknown> {
  const { extras } = context.variant;
  if (extras === 'none' || (depth === 'deep' && extras !== 'deep')) return {};
  return depth === 'deep'
    ? { revision: 3, tags: ['a', null] }
    : { revision: 3, links: { self: '…' }, archivedAt: null };
}
