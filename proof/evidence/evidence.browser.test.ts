import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousFindings } from '../rigs/axe.ts';
import { launchChromium, openFromDisk } from '../rigs/browser.ts';
import { gatherEvidence, traceClauses } from './evidence.ts';
import { keepProof, type ProofName, type Results } from './proofs.ts';
import { sampleResults } from './sample.ts';
import { siteOf } from './site.ts';

let browser: Browser;
let site: ReadonlyMap<string, string>;
beforeAll(async () => {
  browser = await launchChromium();
  const folder = mkdtempSync(join(tmpdir(), 'casa-evidence-'));
  for (const [name, result] of Object.entries(sampleResults()) as [ProofName, Results[ProofName]][])
    keepProof(name, result, { isWhole: true, folder });
  const evidence = gatherEvidence({ proofs: folder, tests: folder }, await traceClauses());
  // What is alike many times is looked at a few times.
  const clauses = evidence.clauses.filter((_, index) => index % 8 === 0);
  site = siteOf({ evidence: { ...evidence, clauses }, source: { prefix: '../../', hasLines: false } });
});
afterAll(() => browser?.close());

const looks = ['index.html', 'clauses.html', 'identify.html'].flatMap((name) => [
  [name, 'light', 1200] as const,
  [name, 'dark', 1200] as const,
  [name, 'light', 360] as const,
]);

test.each(looks)('%s shuts nobody out, %s and %i wide', async (name, colorScheme, width) => {
  const viewport = { width, height: 800 };
  const { page, events } = await openFromDisk(browser, site.get(name) ?? '', {
    colorScheme,
    viewport,
    bypassCSP: true,
  });
  await page.evaluate(() => {
    for (const each of [...document.querySelectorAll('details')].slice(0, 9)) each.open = true;
  });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect([wide, await seriousFindings(page), events]).toEqual([0, [], []]);
  await page.close();
});
