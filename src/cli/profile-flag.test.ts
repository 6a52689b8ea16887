import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { captured } from '../../fixtures/test-kit/command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startInTest } from '../../fixtures/test-kit/test-process.ts';
import { seed } from './seed.ts';

const folder = newFolder();
const file = join(folder, 'staging.profile.json');
const origin = { casaProfile: 1, kit: '0.1.0', contract: '1.0.0', target: 'staging.example.com' };
const behaviors = {
  articleOrder: { value: 'oldest', seen: 6 },
  timestampForm: { value: 'YYYY-MM-DDThh:mm:ss+00:00', seen: 700 },
  idCase: { value: 'upper', seen: 90 },
  keyPrefix: { value: 'live', seen: 1 },
};
const notLearnt = [{ behavior: null, check: 'sites/list', clause: '4.sites.list', sentence: 'It returns 200.' }];
const learnt = { learntOn: '2026-11-22', behaviors, unknown: { malformedId: 'not observed' }, notLearnt };
writeFileSync(file, JSON.stringify({ ...origin, ...learnt }));

async function articlesOf(...argv: string[]) {
  const started = await startInTest(argv);
  const [key = ''] = /\b[a-z]+_[0-9a-f]{32}\b/.exec(started.stdout()) ?? [];
  const response = await fetch(`${started.baseUrl}/articles`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await response.json()) as { data: { id: string; createdAt: string }[] };
  const times = data.map(({ createdAt }) => createdAt);
  return { key, data, times, stdout: started.stdout() };
}

describe('casa mock --profile', () => {
  it('responds as the profile says, with a key of its form, and prints what was learnt', async () => {
    const { key, data, times, stdout } = await articlesOf('--profile', file);
    expect(key).toMatch(/^live_/);
    expect(times.length).toBeGreaterThan(1);
    expect(times).toEqual([...times].sort());
    for (const { id, createdAt } of data) {
      expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
      expect(id).toBe(id.toUpperCase());
    }
    expect(stdout).toContain('calibrated mock of staging.example.com, learnt on 2026-11-22: 4 of ');
    expect(stdout).toContain('defaults, because unknown: malformed-id');
    // Accounts can be copied from the banner, and found in responses.
    expect(stdout).toMatch(/^ {4}[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12} {2}google_business/m);
    expect(stdout).toContain('not learnt, because they break the contract: 1');
  });

  it('lets a choice by hand win', async () => {
    const { times } = await articlesOf('--profile', file, '--behavior', 'article-order=newest');
    expect(times).toEqual([...times].sort().reverse());
  });
});

describe('casa seed --profile', () => {
  it('writes ids and keys as the deployment does', async () => {
    const { code, out } = await captured((io) => seed(['--profile', file, '--seed', '7', '--articles', '5'], io));
    expect(code).toBe(0);
    const [organization] = JSON.parse(out).organizations;
    expect(organization.keys[0].key).toMatch(/^live_[0-9a-f]{32}$/);
  });
});
