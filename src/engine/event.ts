// The events that an engine tells its listeners: the log, the live journal of the dashboard and the fixtures of test
// runners.
import type { JournalEntry } from './journal-entry.ts';
import type { Verdict } from './verdicts/verdict.ts';

/** In the order in which things happened; an exchange comes after its answer was made, and before it is sent. */
export type EngineEvent =
  /** A second one with the same id tells of the answer that left in place of the first. */
  | { readonly type: 'exchange'; readonly entry: JournalEntry }
  | { readonly type: 'verdict'; readonly verdict: Verdict }
  | { readonly type: 'clock'; readonly nowMs: number; readonly scale: number }
  /** Faults, limits, calls or organizations were changed from outside the API. */
  | { readonly type: 'change'; readonly what: 'faults' | 'limits' | 'calls' | 'organizations' }
  | { readonly type: 'reset' };

/** Is called within the request, so it must be quick. */
export type Listener = (event: EngineEvent) => void;
