// The call log, in the order in which a run reads it: the gate, the chain, one cut, the order, the snapshot, the
// first poll, bad parameters, the whole walk, settling, and the last reading.
import { chain, cut, defaultLimits } from './chain.ts';
import { keeping, pages } from './kept.ts';
import { invalidLimits, parameters } from './parameters.ts';
import { finality, firstPolls } from './polls.ts';
import { settling } from './settling.ts';
import { order, snapshots } from './snapshot.ts';
import { walk } from './walk.ts';

export const calls = [
  ...chain,
  ...cut,
  ...invalidLimits,
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
