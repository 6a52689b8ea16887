// The call log, in the order in which a run reads it: the gate, the chain, one cut, the snapshot, polls after the last
// call, invalid queries, settling, and the last reading.
import { listing, nextCursor, reread } from './gate.ts';
import { invalid, limit } from './limits.ts';
import { afterLast, final } from './polls.ts';
import { exactlyOnce, sinceForms } from './sequence.ts';
import { settled, watch } from './settling.ts';
import { oldestFirst, snapshotDelivered, snapshotOrder, snapshotRunning } from './snapshot.ts';

export const calls = [
  ...[listing, reread, limit, exactlyOnce, sinceForms, nextCursor, oldestFirst],
  ...[snapshotOrder, snapshotDelivered, snapshotRunning, afterLast, invalid, settled],
] as const;
export const callWatch = [watch] as const;
/** As late in the run as can be. */
export const finalCalls = [final] as const;
