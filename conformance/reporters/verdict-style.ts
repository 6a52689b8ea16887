// The colour of each verdict on a terminal. The word always stands beside it.
import type { Style } from '../../src/terminal/paint.ts';
import type { VerdictKind } from '../judge/verdict.ts';

/** Red and yellow are kept for what asks something of the reader. */
export const styleOf: Readonly<Record<VerdictKind, Style>> = {
  pass: 'green',
  fail: 'red',
  warn: 'yellow',
  note: 'blue',
  inconclusive: 'magenta',
  excluded: 'dim',
  error: 'red',
};
