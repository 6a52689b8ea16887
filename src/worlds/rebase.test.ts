import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTimestamp, parseTimestamp } from '../contract/timestamps.ts';
import type { OrganizationData, WorldData } from '../domain/world-data.ts';
import { defaultWorld } from './load.ts';
import { rebase } from './rebase.ts';

const anchorMs = Date.parse(defaultWorld.anchor);
const nowMs = fc.integer({ min: Date.UTC(1970, 0, 2), max: Date.UTC(9000, 0, 1) });

/** Every text in the world that is a timestamp, with its path. */
function timestampsIn(value: unknown, path = ''): [path: string, ns: bigint][] {
  if (typeof value === 'string') {
    const ns = parseTimestamp(value);
    return ns === null ? [] : [[path, ns]];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => timestampsIn(field, `${path}/${name}`));
}

function worldWith(organization: Partial<OrganizationData>): WorldData {
  const [base] = defaultWorld.organizations as readonly [OrganizationData];
  const lists = { sites: [], articles: [], keywords: [], accounts: [], links: [], calls: [] };
  return { ...defaultWorld, organizations: [{ ...base, ...lists, ...organization }] };
}

describe('rebase', () => {
  it('moves every timestamp by the same distance and nothing more', () => {
    const before = new Map(timestampsIn(defaultWorld));
    fc.assert(
      fc.property(nowMs, (now) => {
        const moved = rebase(defaultWorld, now);
        const distanceNs = BigInt(now - anchorMs) * 1_000_000n;
        for (const [path, ns] of timestampsIn(moved)) if (ns - (before.get(path) ?? 0n) !== distanceNs) return false;
        return timestampsIn(moved).length === before.size && moved.anchor === formatTimestamp(now);
      }),
      { numRuns: 20 },
    );
    const shape = (data: WorldData) => JSON.stringify(data).replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '@');
    expect(shape(rebase(defaultWorld, anchorMs + 86_400_000))).toBe(shape(defaultWorld));
  });

  it('twice is once', () => {
    fc.assert(
      fc.property(nowMs, nowMs, (a, b) => {
        expect(rebase(rebase(defaultWorld, a), b)).toEqual(rebase(defaultWorld, b));
      }),
      { numRuns: 10 },
    );
  });

  it('returns the world itself when there is nothing to move', () => {
    expect(rebase(defaultWorld, anchorMs)).toBe(defaultWorld);
  });

  it('leaves the world it was given alone', () => {
    const before = JSON.stringify(defaultWorld);
    rebase(defaultWorld, anchorMs + 1);
    expect(JSON.stringify(defaultWorld)).toBe(before);
  });

  it.each([
    ['2026-01-15T13:00:00+02:00', '2026-01-15T11:00:01.000Z'],
    ['20260115T110000Z', '2026-01-15T11:00:01.000Z'],
    ['2026-01-15T11:00:00.000000007Z', '2026-01-15T11:00:01.000000007Z'],
    ['2026-01-15T11:00:00,1234567Z', '2026-01-15T11:00:01.123456700Z'],
    ['1969-12-31T23:59:59.999999Z', '1970-01-01T00:00:00.999999000Z'],
  ])('moves %s to %s', (createdAt, expected) => {
    const [site] = defaultWorld.organizations[0]?.sites ?? [];
    if (!site) throw new Error('The default world has a site.');
    const moved = rebase(worldWith({ sites: [{ ...site, createdAt }] }), anchorMs + 1_000);
    expect(moved.organizations[0]?.sites[0]?.createdAt).toBe(expected);
  });

  it('keeps articles apart that differ below the millisecond', () => {
    const [article] = defaultWorld.organizations[0]?.articles ?? [];
    if (!article) throw new Error('The default world has an article.');
    const articles = ['1', '2'].map((digit) => ({ ...article, createdAt: `2026-01-01T00:00:00.000000${digit}Z` }));
    const moved = rebase(worldWith({ articles }), anchorMs + 1).organizations[0]?.articles ?? [];
    expect(new Set(moved.map(({ createdAt }) => createdAt)).size).toBe(2);
  });

  it('keeps the place of a call within its visible millisecond', () => {
    const [call] = defaultWorld.organizations[0]?.calls ?? [];
    if (!call) throw new Error('The default world has a call.');
    const calls = [{ ...call, visibleAt: '2026-01-15T11:00:00.123000042Z' }];
    const [moved] = rebase(worldWith({ calls }), anchorMs + 1_000).organizations[0]?.calls ?? [];
    expect(moved?.visibleAt).toBe('2026-01-15T11:00:01.123000042Z');
  });
});
