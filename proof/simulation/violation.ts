// A broken invariant ends a run at the step that broke it.

/** What a run can fail by; `--mutants` counts which of them each mutant breaks. */
export const invariantNames = [
  'limits',
  'answers',
  'isolation',
  'records',
  'accounts',
  'calls',
  'writes',
  'refusals',
  'time',
  'restoration',
  'verdicts',
] as const;

export type InvariantName = (typeof invariantNames)[number];

/** Thrown so that no later step blurs what broke. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly invariant: InvariantName;

  constructor(invariant: InvariantName, message: string) {
    super(message);
    this.invariant = invariant;
  }
}

/** Throws a `Violation` unless the condition holds. The message says what was seen. */
export function hold(invariant: InvariantName, condition: boolean, message: () => string): void {
  if (!condition) throw new Violation(invariant, message());
}
