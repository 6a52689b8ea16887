import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium, openFromDisk } from '../rigs/browser.ts';
import type { Kill, Killer } from './kill.ts';
import { gate } from './kill-gate.ts';
import { killPage } from './kill-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const listed: Killer = { check: 'calls/limit', clauses: ['4.calls.limit'], isRight: true, took: [] };
const shape: Killer = { check: 'rule/list-calls-shape', clauses: ['4.calls.shape'], isRight: false, took: [] };

function kill(name: string, of: 'mock' | 'independent', ...killers: readonly Killer[]): Kill {
  const mutant = {
    name,
    of,
    breaks: '4.calls.limit',
    shows: `<script>alert(1)</script> ${name}.`,
    needs: 'nothing',
    verdict: 'fail',
  } as const;
  return { mutant, killers, errors: [], abort: null };
}

const kills = [kill('one', 'mock', listed), kill('two', 'independent', listed, shape), kill('alive', 'mock')];
const checks = [listed, shape].map(({ check: id }) => ({ id, title: id, level: 'must', cites: [] }) as const);
const matrix = { kills, checks, clean: [{ name: 'the mock', alarms: [] }], seconds: 3 };
const excuses = { unkillable: { 'mock/alive': 'Nothing shows it.' }, otherReason: {}, idleChecks: {} };

const open = (hash = '', colorScheme: 'light' | 'dark' = 'light') =>
  openFromDisk(browser, killPage(matrix, gate(matrix, excuses, true), excuses), { hash, colorScheme });

const shown = (page: Page) =>
  page.locator('.row:visible .name').evaluateAll((all) => all.map((e) => e.firstChild?.textContent));

describe('the page of the kill matrix in a browser', () => {
  test('filters by kind and by word, and keeps the filter in its address', async () => {
    const { page, events } = await open();
    await expect.poll(() => shown(page)).toEqual(['one', 'two', 'alive']);
    expect(await page.locator('#open').isVisible()).toBe(true);
    await page.click('[data-kind=survivor]');
    await expect.poll(() => shown(page)).toEqual(['alive']);
    await page.click('[data-kind=all]');
    await page.fill('#find', 'CALLS-shape');
    await expect.poll(() => shown(page)).toEqual(['two']);
    expect(await page.locator('#open').isVisible()).toBe(false);
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#find=CALLS-shape');
    await page.keyboard.press('Escape');
    await expect.poll(() => shown(page)).toEqual(['one', 'two', 'alive']);
    expect(events).toEqual([]);
  });

  test('shows what a check kills at a click on its column, and what a dot says under the pointer', async () => {
    const { page, events } = await open('#kind=independent');
    await expect.poll(() => shown(page)).toEqual(['two']);
    await page.hover('.cells .dot.other');
    await expect.poll(() => page.textContent('#says')).toBe('two × rule/list-calls-shape: 4.calls.shape');
    expect(await page.textContent('.head .lit')).toBe('rule/list-calls-shape');
    await page.click('.head [data-check="calls/limit"]');
    await expect.poll(() => shown(page)).toEqual(['one', 'two']);
    expect(events).toEqual([]);
  });

  test('opens a row to what the mutant does, as text', async () => {
    const { page, events } = await open();
    await page.click('.row.right summary');
    expect(await page.locator('.row[open] .body').textContent()).toContain('<script>alert(1)</script> one.');
    expect(events).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'is %s where the reader wants that, and the other at a click',
    async (scheme) => {
      const { page } = await open('', scheme);
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const before = await ground();
      expect(before).toBe(scheme === 'light' ? 'rgb(245, 246, 248)' : 'rgb(15, 18, 22)');
      await page.click('#theme');
      expect(await ground()).not.toBe(before);
    },
  );
});
