// The verdicts on clients. The mock judges only behaviour that the contract rules out, never style.
import type { clauses } from '../../contract/generated/clauses.ts';

/** Ids of rules are part of the interface: users filter and silence by them. */
export const verdictRules = [
  'unchanged-retry',
  'early-retry',
  'no-back-off',
  'lost-since',
  'since-backwards',
  'hasty-poll',
  'late-poll',
  'key-rotated',
] as const;

type VerdictRule = (typeof verdictRules)[number];

/** One offence of a client, as the dashboard, the log and `casa.verdicts()` show it. */
export interface Verdict {
  readonly id: number;
  readonly rule: VerdictRule;
  /** The clause of the contract, an id of spec/clauses.yaml. */
  readonly clause: keyof typeof clauses;
  /** One sentence: what the client did and what it should do. */
  readonly message: string;
  /** Ids of the journal's entries: the offence last, before it what makes it one. */
  readonly requestIds: readonly number[];
  /** ISO 8601, on the mock's clock. */
  readonly at: string;
  /** The client, with the last characters of its key. */
  readonly client: { readonly key: string | null; readonly address: string };
}

/** A rule's finding; the judge adds the circumstances. */
export interface Finding {
  readonly rule: VerdictRule;
  readonly clause: keyof typeof clauses;
  readonly message: string;
  /** Ids of the earlier exchanges that make the present one an offence. */
  readonly because: readonly number[];
}
