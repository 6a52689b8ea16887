// The call log, in the order in which a run reads it: the gate, the chain, one cut, the order, the snapshot, the
// first poll, bad parameters, the whole walk, settling, and the last reading.
import { betweens } from './calls/between.ts';
import { chain } from './calls/chain.ts';
import { cut, defaultLimits } from './calls/cut.ts';
import { finality } from './calls/final.ts';
import { firstPolls } from './calls/first-poll.ts';
import { keeping } from './calls/kept.ts';
import { order } from './calls/order.ts';
import { pages } from './calls/pages.ts';
import { badLimits, parameters } from './calls/parameters.ts';
import { settling } from './calls/settling.ts';
import { snapshots } from './calls/snapshot.ts';
import { walk } from './calls/walk.ts';

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
  ...betweens,
] as const;
