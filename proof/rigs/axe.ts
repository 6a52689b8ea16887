// What axe-core has against a page: the findings that shut somebody out.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const source = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** A line for each finding that is serious or critical; none is good. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(source);
  return page.evaluate(async () => {
    type Found = { impact: string; id: string; nodes: { html: string; failureSummary: string }[] };
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Found[] }> } };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
  });
}
