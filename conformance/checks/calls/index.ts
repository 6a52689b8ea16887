// The call log, in the order in which a run reads it: the gate, the chain, one cut, the order, the snapshot, the
// first poll, bad parameters, the whole walk, settling, and the last reading.
import { chain } from './chain.ts';
import { cut, defaultLimits } from './cut.ts';
import { finality } from './final.ts';
import { firstPolls } from './first-poll.ts';
import { keeping } from './kept.ts';
import { order } from './order.ts';
import { pages } from './pages.ts';
import { badLimits, parameters } from './parameters.ts';
import { settling } from './settling.ts';
import { snapshots } from './snapshot.ts';
import { walk } from './walk.ts';

export const calls = [
  ...chain,
  ...cut,
  ...badLimits,
  ...defaultLimits,
  ...order,
  ...snapshots,
  ...firstPolls,
  ...parameters,
  ...walk,
  ...settling,
  ...finality,
  ...pages,
  ...keeping,
] as const;
