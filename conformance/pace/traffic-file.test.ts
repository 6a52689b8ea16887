import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';
import { trafficFileFor, trafficFolder } from './traffic-file.ts';

const host = 'traffic-file.test:1';
const lane = { address: null, key: null };

test('remembers a minute of requests, five hundred at most, and how long answers took', () => {
  const now = systemClock().now();
  const uses = [{ lane, at: now - 70_000 }, ...Array.from({ length: 600 }, (_, i) => ({ lane, at: now - i }))];
  trafficFileFor(host).write({ uses, latencyMs: 120 });
  const read = trafficFileFor(host).read();
  expect(read.uses).toHaveLength(500);
  expect(read.latencyMs).toBe(120);
  trafficFileFor(host).write({ uses: uses.slice(0, 1), latencyMs: null });
  expect(trafficFileFor(host).read().uses).toEqual([]);
});

test('removes the files of hosts that nobody has judged for a day', () => {
  mkdirSync(trafficFolder, { recursive: true });
  const old = join(trafficFolder, 'traffic-file-test.json');
  writeFileSync(old, '{}');
  utimesSync(old, 1, 1);
  trafficFileFor(host).write({ uses: [], latencyMs: null });
  expect(existsSync(old)).toBe(false);
  expect(readdirSync(trafficFolder).length).toBeGreaterThan(0);
});
