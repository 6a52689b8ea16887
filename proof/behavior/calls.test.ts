import { expect } from 'vitest';
import { home } from '../rigs/cast.ts';
import { describeTransports, type Stage } from './transports.ts';

const log = '/connect/calls/log';
const settleMs = 300_000;

async function poll({ ask }: Stage, since: string, limit?: number) {
  const more = limit === undefined ? '' : `&limit=${limit}`;
  return (await ask('GET', `${log}?since=${encodeURIComponent(since)}${more}`)).success('listCalls').data;
}

/** Polls until nothing is new, as section 6 says. */
async function drain(stage: Stage, since: string, limit?: number) {
  const ids: unknown[] = [];
  let cursor = since;
  for (;;) {
    const { calls, nextCursor } = await poll(stage, cursor, limit);
    ids.push(...calls.map(({ id }) => id));
    expect(ids.length).toBeLessThanOrEqual(home.calls.length + 10);
    if (nextCursor === null) return { ids, cursor };
    cursor = nextCursor;
  }
}

const now = ({ casa }: Stage) => new Date(casa.clock.now()).toISOString();

describeTransports('polling the call log', ({ it }) => {
  it.for([undefined, 1, 200])('with a limit of %s delivers each settled call once', async (limit, { stage }) => {
    const { ids } = await drain(stage, '2000-01-01T00:00:00Z', limit);
    const settled = home.calls.filter(({ endedAt, reportedAt }) => {
      const visible = Math.max(Date.parse(endedAt) + settleMs, Date.parse(reportedAt ?? endedAt));
      return visible <= stage.casa.clock.now();
    });
    expect([...ids].sort()).toEqual(settled.map(({ id }) => id).sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('delivers a call when it has been over for five minutes, and not before', async ({ stage }) => {
    const since = now(stage);
    await drain(stage, since);
    stage.casa.calls.ring({ durationS: 30, outcome: 'voicemail', provisional: 'answered' });
    const { cursor } = await drain(stage, since);
    stage.casa.clock.advance(30_000 + settleMs - 1);
    const before = await drain(stage, cursor);
    stage.casa.clock.advance(1);
    const { calls } = await poll(stage, before.cursor);
    expect(calls.map(({ outcome, status }) => [outcome, status])).toContainEqual(['voicemail', 'final']);
    expect((await poll(stage, (await drain(stage, before.cursor)).cursor)).calls).toEqual([]);
  });
});
