import { describe, expect, it } from 'vitest';
import { overflow, seriousFindings, useMockPage } from '../../fixtures/test-kit/browser.ts';
import { googleAccount } from '../../fixtures/test-kit/engine.ts';

const here = useMockPage({ width: 1280, height: 900 });

const open = (hash = '') => here.page.goto(`${here.casa.origin}/__admin/docs${hash}`);
const operation = (id: string) => here.page.locator(`section#${id}`);

describe('the API reference in a browser', () => {
  it('shows every operation with its parameters, responses, clauses and choices, and asks nobody else', async () => {
    await open();
    await operation('createPost').getByText('Try it on this mock').waitFor();
    expect(await here.page.locator('section.operation').count()).toBe(12);
    const summaries = await operation('createPost').locator('summary').allTextContents();
    expect(summaries.join(' | ')).toMatch(/^200 .*502 .*clauses of the contract.*assumptions of the mock.*Try it/);
    expect(here.complaints).toEqual([]);
  });

  it('tries an operation on the mock', async () => {
    await open();
    const card = operation('listArticles');
    await card.getByText('Try it on this mock').click();
    await expect.poll(() => card.locator('input[name=key]').inputValue()).toBe(here.casa.keys.good);
    await card.locator('input[name="query limit"]').fill('2');
    await card.getByRole('button', { name: 'Send' }).click();
    await card.locator('.response strong', { hasText: '200' }).waitFor();
    expect(here.casa.requests.all().at(-1)?.request).toMatchObject({ path: '/api/v1/articles', query: 'limit=2' });
    await card.locator('.basis-assumed', { hasText: 'createdAt' }).first().waitFor();
    expect(await card.locator('.basis-contract', { hasText: '"title"' }).first().getAttribute('title')).toBe(
      'contract',
    );
    await card.locator('.basis summary', { hasText: 'assumed' }).click();
    await card.locator('.basis .chip.warn', { hasText: 'assumed R8 (timestampForm)' }).first().waitFor();
    expect(here.complaints).toEqual([]);
  });

  it('writes with a body, and brings about an error', async () => {
    await open();
    const card = operation('createPost');
    await card.getByText('Try it on this mock').click();
    await expect.poll(() => card.locator('input[name="path accountId"]').inputValue()).toBe(googleAccount);
    await card.locator('textarea').fill('{"text":"<b>Hello</b>"}');
    await card.getByRole('button', { name: 'Send' }).click();
    await card.locator('.response strong', { hasText: '200' }).waitFor();
    await card.locator('select[name=example]').selectOption('provider_auth');
    await card.getByRole('button', { name: 'Send' }).click();
    await card.locator('.response', { hasText: 'provider_auth' }).waitFor();
    await expect.poll(() => card.locator('.response strong').textContent()).toBe('401');
    await card.locator('.basis-assumed', { hasText: 'message' }).waitFor();
    expect(await card.locator('b').count()).toBe(0);
  });

  it('fills in ids that exist, once each', async () => {
    await open();
    for (const [id, name] of Object.entries({ getArticle: 'id', getSite: 'id', replyToReview: 'reviewId' })) {
      const card = operation(id);
      await card.getByText('Try it on this mock').click();
      await expect.poll(() => card.locator(`input[name="path ${name}"]`).inputValue()).not.toBe('');
      await card.getByRole('button', { name: 'Send' }).click();
      await card.locator('.response strong', { hasText: '200' }).waitFor();
    }
    expect(await operation('replyToReview').locator('textarea').inputValue()).not.toMatch(/accountId|reviewId/);
    expect(await here.page.getByText('..', { exact: false }).count()).toBe(0);
  });

  it('links to a sentence of the contract', async () => {
    await open('#7.retry.never-unchanged');
    const fact = here.page.locator('[id="7.retry.never-unchanged"]');
    await fact.waitFor();
    await expect.poll(() => fact.evaluate((one) => Math.round(one.getBoundingClientRect().top))).toBeLessThan(900);
    await operation('createPost').getByText('clauses of the contract').click();
    await operation('createPost').getByRole('link', { name: '4.rules.path-wins' }).click();
    expect(here.page.url()).toMatch(/#4\.rules\.path-wins$/);
  });

  it.each(['light', 'dark'] as const)('shuts nobody out in %s', async (colorScheme) => {
    await here.page.emulateMedia({ colorScheme });
    await open();
    await operation('createPost').waitFor();
    await here.page.evaluate(() => {
      for (const details of document.querySelectorAll('section#createPost details'))
        (details as HTMLDetailsElement).open = true;
    });
    expect(await seriousFindings(here.page)).toEqual([]);
  });

  it.each([360, 768, 1600])('fits into %i pixels', async (width) => {
    await here.page.setViewportSize({ width, height: 900 });
    await open();
    await operation('createPost').waitFor();
    await here.page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    expect(await overflow(here.page)).toBe(0);
  });
});

describe('the root of the mock in a browser', () => {
  it('says what this server is, and links to the dashboard', async () => {
    await here.page.goto(here.casa.origin);
    expect(await here.page.locator('h1').textContent()).toBe('casa mock');
    expect(await seriousFindings(here.page)).toEqual([]);
    await here.page.getByRole('link', { name: '/__admin', exact: false }).first().click();
    await here.page.locator('#state', { hasText: 'live' }).waitFor();
    expect(here.complaints).toEqual([]);
  });
});
