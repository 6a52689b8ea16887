import { test } from 'vitest';
import { startMock } from '../../src/index.ts';
import { runConformance } from '../index.ts';
import { accounts } from '../checks/04-accounts.ts';
import { reviews } from '../checks/04-reviews.ts';
import { reviewPages } from '../checks/04-review-pages.ts';
import { insights } from '../checks/04-insights.ts';
import { calls } from '../checks/04-calls.ts';
import { VARIANT_NAMES } from './independent/index.ts';
import { bench } from './check-bench.ts';
const mine = [...accounts, ...reviews, ...reviewPages, ...insights, ...calls];
const out: string[] = [];
for (const c of mine) out.push([c.id, c.level, c.phase, c.cost.least ?? 0, c.cost.requests, (c.needs ?? []).join(), c.cites.join(' ')].join(' | '));
const worlds = [...['default', 'empty', 'tied-articles', 'unpaid', 'huge'].map((world) => ({ world, limits: true })), { world: 'default', limits: false, settleS: 0 }, { world: 'default', strict: true, limits: true }, ...Array.from({ length: 20 }, (_, i) => ({ world: 'default', limits: true, grease: i + 1 })), ...Array.from({ length: 3 }, (_, i) => ({ world: 'huge', limits: true, grease: i + 1 }))];
test('x', async () => {
 for (const options of worlds) for (const extra of [{}, { callIdField: 'id', callEndedAtField: 'endedAt', watch: true }]) {
  const casa = await startMock(options as never);
  const clock = { now: () => casa.clock.now() as number, sleep: async (ms: number) => { casa.clock.advance(Math.max(0, Math.ceil(ms))); } };
  const r = await runConformance({ baseUrl: casa.baseUrl, keys: { good: casa.keys.good }, clock: clock as never, checks: mine, ...extra });
  const bad = r.checks.filter((c) => /fail|warn|error|note/.test(c.verdict.kind));
  const own = (k: string) => r.checks.filter((c) => !c.id.startsWith('rule/') && c.verdict.kind === k).length;
  out.push(JSON.stringify(options) + Object.keys(extra).length + ' used ' + r.used.requests + ' plan ' + JSON.stringify(r.plan.requests) + ` pass ${own('pass')} inc ${own('inconclusive')} exc ${own('excluded')} ` + bad.map((c) => c.id + ' ' + c.verdict.kind).join());
  await casa.close();
  }
 for (const variant of VARIANT_NAMES) for (const watch of [false, true]) { const b = await bench({ checks: mine, variant, run: { watch } }); out.push(`${variant} ${watch} ${b.report.used.requests} ${JSON.stringify(b.report.plan.requests)} ${b.report.used.seconds} ${b.alarms.join()} `); }
  console.log(out.join('\n'));
}, 120000);
