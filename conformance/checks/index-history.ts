// The checks that read a history: also of recorded traffic, and of the traffic of a client.
import type { HistoryCheck } from '../probe/check.ts';
import { complete } from './insights/complete.ts';
import { isolationHistory } from './keys/isolation-history.ts';
import { countsAll, remaining } from './limits/key-counts.ts';
import { connect } from './whole-run/connect.ts';
import { noReturn } from './whole-run/no-return.ts';

export const historyChecks: readonly HistoryCheck[] = [
  remaining,
  countsAll,
  ...connect,
  complete,
  noReturn,
  isolationHistory,
];
