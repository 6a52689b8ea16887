// One request and its answer, as the journal keeps them.
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import type { Trace } from '../http/service.ts';

/**
 * References to what passed, not copies: describing waits until somebody reads. `id` counts from 1 and starts anew with
 * a reset.
 */
export interface JournalEntry {
  readonly id: number;
  readonly request: CoreRequest;
  readonly response: CoreResponse;
  readonly trace: Trace;
}

/** The journal keeps this much of a body. */
export const journalBodyBytesMax = 16_384;
