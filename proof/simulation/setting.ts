// The setting of one seed: the world, the behaviors, the variation of responses, and the clients.

import { createRandom, hashToUnit, type Random } from '../../src/domain/random.ts';
import { behaviorValues, type WorldBehavior, type WorldBehaviorName } from '../../src/domain/world-behavior.ts';
import type { WorldData } from '../../src/domain/world-data.ts';
import { builtInWorld, type WorldName } from '../../src/worlds/load.ts';
import { rebase } from '../../src/worlds/rebase.ts';
import { type Client, type Identity, pick } from './client.ts';
import { connector } from './clients/connector.ts';
import { burster, crowd, heavy, learner, unknownKeyClient } from './clients/crowd.ts';
import { callsOperator, clockOperator, faultsOperator, recordsOperator } from './clients/operator.ts';
import { auditor, poller } from './clients/poller.ts';
import { reader } from './clients/reader.ts';
import { writer } from './clients/writer.ts';
import { type KnownOrganization, type Ledger, openLedger } from './ledger.ts';

/** All that a seed decides before the first request. */
export interface Setting {
  readonly world: WorldName;
  readonly data: WorldData;
  readonly startMs: number;
  readonly behavior: Partial<WorldBehavior>;
  readonly grease: number | undefined;
  readonly ledger: Ledger;
  readonly actors: readonly Client[];
}

/** A separate random source for each use, so one more draw of one changes nothing for the others. */
export function chanceOf(seed: number, use: string): Random {
  return createRandom(Math.floor(hashToUnit(`${use} ${seed}`) * 2 ** 32));
}

/** Behaviors of which the ledger supports one value only. */
const readByLedger: Partial<WorldBehavior> = { reviewReplied: 'always', insightDateForm: 'YYYY-MM-DD' };

/** Every third seed is greased; half of the seeds play other legal behaviors. */
export async function chooseSetting(seed: number, world?: WorldName): Promise<Setting> {
  const chance = chanceOf(seed, 'setting');
  const drawn = pick(chance, ['default', 'default', 'default', 'tied-articles', 'unpaid'] as const);
  const written = await builtInWorld(world ?? drawn);
  const startMs = Date.parse(written.anchor) + chance.below(1000 * 24 * 3600) * 1000 + chance.below(1000);
  const data = rebase(written, startMs);
  const names = Object.keys(behaviorValues) as WorldBehaviorName[];
  const other = names.map((name) => [name, pick(chance, behaviorValues[name])] as const);
  const chosen: Partial<WorldBehavior> = chance.below(2) === 0 ? Object.fromEntries(other) : {};
  const grease = chance.below(3) === 0 ? chance.below(1_000_000) : undefined;
  const behavior = grease === undefined ? chosen : { ...chosen, ...readByLedger };
  const ledger = openLedger(data, { behavior, greased: grease !== undefined });
  return { world: world ?? drawn, data, startMs, behavior, grease, ledger, actors: actorsOf(ledger) };
}

/** Every kind of client, writers for both organizations, usually at separate addresses. */
function actorsOf(ledger: Ledger): Client[] {
  const [first, other] = ledger.organizations as readonly [KnownOrganization, KnownOrganization?];
  const second = other ?? first;
  const of = (organization: KnownOrganization, host: number): Identity => {
    return { organization, key: organization.key, address: `203.0.113.${host}` };
  };
  return [
    reader('reader-1', { ...of(first, 1), other }),
    reader('reader-2', { ...of(second, 2), other: other && first }),
    poller('poller-1', of(first, 3)),
    poller('poller-2', of(first, 4)),
    poller('poller-3', of(second, 5)),
    auditor('auditor', of(first, 6)),
    writer('writer-1', of(first, 7)),
    writer('writer-2', of(second, 8)),
    learner('learner', { ...of(first, 14), other }),
    connector('connector-1', of(first, 9)),
    connector('connector-2', of(second, 10)),
    burster('burster', of(first, 11)),
    // Shares its address with the burster: invalid keys spend the same window.
    unknownKeyClient('intruder', { ledger, address: '203.0.113.11' }),
    crowd('crowd', of(second, 12)),
    heavy('heavy', of(first, 13)),
    callsOperator('switchboard', ledger.organizations),
    faultsOperator('saboteur'),
    recordsOperator('clerk', ledger.organizations),
    clockOperator('timekeeper'),
  ];
}
