import { expect } from 'vitest';
import { parseInstant } from '../../src/contract/instants.ts';
import { home } from './cast.ts';
import { describeDoors, type Stage } from './doors.ts';

const log = '/connect/calls/log';
const settleMs = 300_000;

async function poll({ ask }: Stage, since: string, limit?: number) {
  const more = limit === undefined ? '' : `&limit=${limit}`;
  return (await ask('GET', `${log}?since=${encodeURIComponent(since)}${more}`)).success('listCalls').data;
}

const snapshot = async ({ ask }: Stage, query = '') => (await ask('GET', `${log}${query}`)).success('listCalls').data;

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

describeDoors('polling the call log', ({ it, open }) => {
  it.each([undefined, 1, 49, 50, 51, 199, 200])('with a limit of %s delivers each settled call once', async (limit) => {
    const stage = await open();
    const { ids } = await drain(stage, '2000-01-01T00:00:00Z', limit);
    const settled = home.calls.filter(({ endedAt, reportedAt }) => {
      const visible = Math.max(Date.parse(endedAt) + settleMs, Date.parse(reportedAt ?? endedAt));
      return visible <= stage.casa.clock.now();
    });
    expect([...ids].sort()).toEqual(settled.map(({ id }) => id).sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('gives fifty calls unless told otherwise, and a cursor that is a date-time', async () => {
    const { calls, nextCursor } = await poll(await open(), '2000-01-01T00:00:00Z');
    expect(calls).toHaveLength(50);
    expect(parseInstant(nextCursor ?? '')).not.toBeNull();
  });

  it('delivers a call when it has been over for five minutes, and not before', async () => {
    const stage = await open();
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

  it('delivers a call that is reported late', async () => {
    const stage = await open();
    const { cursor } = await drain(stage, '2000-01-01T00:00:00Z');
    const startedAt = new Date(stage.casa.clock.now() - 86_400_000).toISOString();
    const call = stage.casa.calls.ring({ startedAt, durationS: 10 });
    expect((await drain(stage, cursor)).ids).toEqual([call.id]);
  });

  it('loses nothing on a first poll at the very millisecond of a call', async () => {
    const stage = await open();
    const since = now(stage);
    expect(await poll(stage, since)).toEqual({ calls: [], nextCursor: null });
    const startedAt = new Date(stage.casa.clock.now() - 3_600_000).toISOString();
    const ids = [1, 2, 3].map(() => stage.casa.calls.ring({ startedAt }).id);
    expect((await drain(stage, since, 1)).ids).toEqual(ids);
  });

  it('gives the same page for the same since, and never changes what it delivered', async () => {
    const stage = await open();
    const first = await poll(stage, '2000-01-01T00:00:00Z', 200);
    stage.casa.clock.advance('1d');
    expect(await poll(stage, '2000-01-01T00:00:00Z', 200)).toEqual(first);
  });

  it('answers a future since with nothing', async () => {
    expect(await poll(await open(), '2999-01-01T00:00:00Z')).toEqual({ calls: [], nextCursor: null });
  });

  it.each(['2026-01-15T10:00:00+01:00', '20260115T090000Z', '2026-01-15T09:00', '2026-01-15t09:00:00,000z'])(
    'takes %s as since',
    async (since) => {
      const stage = await open();
      expect(await poll(stage, since)).toEqual(await poll(stage, '2026-01-15T09:00:00.000Z'));
    },
  );

  it.each([
    'since=',
    'since=yesterday',
    'since=2026-01-15',
    'since=1768467600',
    'since=null',
    'since=2026-01-15T10:00:00+01:00',
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=',
    'limit=x',
    'limit=1.5',
  ])('refuses %s', async (query) => {
    const { ask } = await open();
    const { status, error } = await ask('GET', `${log}?${query}`);
    expect([status, error.code, error.issues?.map(({ path }) => path)]).toEqual([
      400,
      'invalid_input',
      [`/${query.split('=', 1)[0]}`],
    ]);
  });
});

describeDoors('the snapshot of the call log', ({ it, open }) => {
  it('shows the fifty newest first, running ones included, and has no cursor', async () => {
    const stage = await open();
    const { calls, nextCursor } = await snapshot(stage);
    const starts = calls.map(({ startedAt }) => String(startedAt));
    expect([calls.length, nextCursor]).toEqual([50, null]);
    expect(starts).toEqual([...starts].sort().reverse());
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set(['in_progress', 'settling', 'final']));
    expect((await snapshot(stage, '?limit=200')).calls).toHaveLength(200);
    expect(await snapshot(stage)).toEqual({ calls, nextCursor });
  });

  it('shows a call from its start to its final outcome', async () => {
    const stage = await open();
    const { id } = stage.casa.calls.ring({ durationS: 30, outcome: 'voicemail', provisional: 'answered' });
    const look = async () => {
      const call = (await snapshot(stage)).calls.find((other) => other.id === id);
      return [call?.status, call?.outcome, call?.durationS];
    };
    const sights = [await look()];
    stage.casa.clock.advance(30_000);
    sights.push(await look());
    stage.casa.clock.advance(settleMs);
    sights.push(await look());
    expect(sights).toEqual([
      ['in_progress', null, null],
      ['settling', 'answered', 30],
      ['final', 'voicemail', 30],
    ]);
  });
});

describeDoors('a mock without settling', ({ it, open }) => {
  it('delivers a call when it ends', async () => {
    const stage = await open({ settleS: 0 });
    const { cursor } = await drain(stage, '2000-01-01T00:00:00Z');
    const { id } = stage.casa.calls.ring({ durationS: 0 });
    expect((await drain(stage, cursor)).ids).toEqual([id]);
  });
});
