import { expect, test } from 'vitest';
import { recordHistory } from '../../fixtures/test-kit/history.ts';
import { idleCheck } from '../../fixtures/test-kit/sample-report.ts';
import { allMutants } from '../../fixtures/test-kit/targets.ts';
import { historyChecks } from '../checks/index-history.ts';
import { judgeAll } from '../judge/judge.ts';
import { load, save } from './history.ts';

const lists = ['listSites', 'listArticles', 'listAccounts', 'listCalls'] as const;
/** Every list with both keys, and a rejection. */
const reader = idleCheck('test/reader', {
  async run(probe) {
    for (const key of ['good', 'second'] as const)
      for (const operation of lists) await probe.sendRaw({ operation, key });
    await probe.sendRaw({ operation: 'createConnectLink', body: { provider: 'casa', label: '' } });
  },
});
const rows = allMutants().map((mutant) => [`${mutant.name} on ${mutant.of}`, mutant] as const);

test.each(rows)('a saved history is judged in the same way: %s', async (_, mutant) => {
  const history = await recordHistory(await mutant.start(), [reader]);
  expect(judgeAll(historyChecks, load(save(history)))).toEqual(judgeAll(historyChecks, history));
});
