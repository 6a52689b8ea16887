import { expect, test } from 'vitest';
import { recordHistory } from '../../fixtures/test-kit/history.ts';
import { allMutants } from '../../fixtures/test-kit/targets.ts';
import { accounts } from '../checks/accounts/accounts.ts';
import { historyChecks } from '../checks/index-history.ts';
import { isolation } from '../checks/keys/isolation.ts';
import { sites } from '../checks/sites/sites.ts';
import { judgeAll } from '../judge/judge.ts';
import { load, save } from './history.ts';

const rows = allMutants().map((mutant) => [`${mutant.name} on ${mutant.of}`, mutant] as const);

test.each(rows)('a saved history is judged in the same way: %s', async (_, mutant) => {
  const history = await recordHistory(await mutant.start(), [...sites, ...accounts, ...isolation]);
  expect(judgeAll(historyChecks, load(save(history)))).toEqual(judgeAll(historyChecks, history));
});
