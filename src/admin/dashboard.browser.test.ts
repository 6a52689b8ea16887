import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { seriousFindings, useMockPage } from '../../fixtures/test-kit/browser.ts';
import { googleAccount } from '../../fixtures/test-kit/engine.ts';
import { type ClientUnderTest, tryClient } from '../try/index.ts';

const here = useMockPage({ width: 1280, height: 900 });

beforeEach(async () => {
  await here.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await here.page.goto(`${here.casa.origin}/__admin`);
  await shows('#state', 'live');
});

const read = (path: string, init: RequestInit = {}) =>
  fetch(`${here.casa.baseUrl}${path}`, { ...init, headers: { authorization: `Bearer ${here.casa.keys.good}` } });
const post = () => read(`/connect/accounts/${googleAccount}/posts`, { method: 'POST', body: '{"text":"Hello"}' });
const text = (selector: string) => here.page.locator(selector).textContent();
const shows = (selector: string, wanted: string) => here.page.locator(selector, { hasText: wanted }).first().waitFor();
const visit = (name: string) => here.page.click(`nav a[href="#${name}"]`);
const press = (name: string) => here.page.getByRole('button', { name, exact: true }).click();
// The page draws after a notification, so the test polls until the content appears.
const showsRows = (wanted: number) => expect.poll(() => here.page.locator('#requests tr').count()).toBe(wanted);
const leaves = (selector: string) => here.page.locator(selector).first().waitFor({ state: 'detached' });
const clipboard = () => here.page.evaluate(() => navigator.clipboard.readText());

describe('the request log of the dashboard', () => {
  it('says how to send a first request, sends it, and complains of nothing', async () => {
    expect(await text('#base code')).toBe(here.casa.baseUrl);
    expect(await text('#key code')).toBe(here.casa.keys.good);
    expect(await text('#curl')).toContain(`Authorization: Bearer ${here.casa.keys.good}`);
    await press('Send request');
    await shows('#requests td', 'GET /articles?limit=3');
    expect(here.complaints).toEqual([]);
  });

  it('shows a request as it comes, and opens it as text', async () => {
    await read('/sites');
    await read('/articles/%3Cb%3Enone%3C%2Fb%3E?x=<img%20src=x>');
    await shows('#requests td', '/articles/%3Cb%3E');
    await showsRows(2);
    expect(await text('#requests tr:last-child')).toMatch(/\d s ago/);
    expect(await text('#requests tr:last-child')).toMatch(/ms\d+ B$/);
    await here.page.locator('#requests tr').first().click();
    await shows('#detail', 'not_found');
    expect(await here.page.locator('#requests img, #requests b, #detail img, #detail b').count()).toBe(0);
    await press('Next (j)');
    await here.page.click('.basis summary');
    await shows('.basis dt', '/data/*/createdAt');
    await shows('.basis .chip.warn', 'assumed R8');
    await here.page.click('#close');
    await leaves('#drawer');
    await here.page.click('#clear');
    await press('Clear all requests?');
    await shows('#page-requests', 'No requests yet.');
  });

  it('filters by text, status, operation, account and badge', async () => {
    await read('/sites');
    await read('/nowhere');
    await post();
    await read('/sites', { headers: {} });
    await here.page.locator('#requests tr').nth(3).waitFor();
    const leavesRows = async (label: string, value: string, wanted: number) => {
      await here.page.getByLabel(label, { exact: true }).selectOption(value);
      await showsRows(wanted);
      await here.page.getByLabel(label, { exact: true }).selectOption('');
      await showsRows(4);
    };
    await leavesRows('Status', '4', 1);
    await leavesRows('Operation', 'listSites', 2);
    await leavesRows('Account', googleAccount, 1);
    await leavesRows('Badge', 'unmatched', 1);
    await here.page.fill('#filter', 'posts');
    await showsRows(1);
    await shows('#count', '1 of 4');
    await here.page.reload();
    await shows('#count', '1 of 4');
    await here.page.fill('#filter', 'nothing like it');
    await press('Show all 4');
    await showsRows(4);
  });

  it('goes by the keyboard', async () => {
    for (const path of ['/sites', '/articles', '/keywords']) await read(path);
    await here.page.locator('#requests tr').nth(2).waitFor();
    await here.page.keyboard.press('j');
    await shows('#drawer h2', 'Request 3');
    await here.page.keyboard.press('j');
    await here.page.keyboard.press('ArrowDown');
    await shows('#drawer h2', 'Request 1');
    await here.page.keyboard.press('k');
    await shows('#drawer h2', 'Request 2');
    expect(here.page.url()).toMatch(/#requests\/2$/);
    await here.page.keyboard.press('Escape');
    await leaves('#drawer');
    expect(await here.page.evaluate(() => document.activeElement?.id)).toBe('request-2');
    await here.page.keyboard.press('/');
    await here.page.keyboard.type('jk');
    await expect.poll(() => here.page.inputValue('#filter')).toBe('jk');
  });

  it('copies a request as a command, and sends it again', async () => {
    await post();
    await here.page.locator('#requests tr').first().click();
    await press('Copy as curl');
    await shows('#note', 'Copied.');
    expect(await clipboard()).toContain(`Bearer ${here.casa.keys.good}`);
    expect(await clipboard()).toContain(`--data-raw '{"text":"Hello"}'`);
    await here.page.click('#replay');
    await shows('#drawer h2', 'Request 2');
    await shows('#detail', 'Replay of request 1.');
    await shows('#requests .badge', 'replay');
    expect(here.casa.violations()).toEqual([]);
  });

  it('rejects an edited response that is malformed JSON, and returns a valid one', async () => {
    await read('/sites');
    await here.page.locator('#requests tr').first().click();
    await here.page.getByText('Edit this response').click();
    const edit = async (body: string) => {
      await here.page.locator('#edit-response textarea').fill(body);
      await press('Return this');
    };
    await edit('{"data":[}');
    await shows(
      '#edit-response [role=alert]',
      'The body is not valid JSON. To send it unchanged, write it as a JSON string.',
    );
    expect(here.casa.faults.list()).toEqual([]);
    await edit('{"data":[]}');
    await expect.poll(() => here.casa.faults.list()).toMatchObject([{ respond: { body: { data: [] } } }]);
  });

  it('saves what the filter leaves as an archive', async () => {
    await read('/sites');
    await read('/articles');
    await here.page.locator('#requests tr').nth(1).waitFor();
    await here.page.fill('#filter', 'listSites');
    const [download] = await Promise.all([here.page.waitForEvent('download'), here.page.click('#har')]);
    const { log } = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect([download.suggestedFilename(), log.entries.length]).toEqual(['casa-requests.har', 1]);
  });

  it('marks violations, complaints, faults, limits and broken networks', async () => {
    here.casa.faults.add({ match: { operation: 'listSites' }, error: 'transient', times: 1 });
    here.casa.faults.add({ match: { operation: 'getSite' }, network: 'reset', times: 1 });
    await read('/sites');
    await read('/sites/x').catch(() => null);
    for (let i = 0; i < 4; i += 1) await read('/nowhere');
    await fetch(`${here.casa.baseUrl}/sites?__code=418`, {
      headers: { authorization: `Bearer ${here.casa.keys.good}` },
    });
    for (const badge of ['fault', 'reset', 'violation', 'complaint']) await shows('#requests .badge', badge);
    const lost = here.page.locator('#requests tr', { hasText: 'reset' });
    expect(await lost.locator('td.status, td.size').allTextContents()).toEqual(['none', '']);
    expect(here.complaints).toEqual([]);
  });

  it('shows two hundred rows of a thousand at most', async () => {
    for (let i = 0; i < 1100; i += 1) await here.casa.fetch('/sites', { headers: { authorization: 'Bearer x' } });
    await shows('#count', '1000 requests');
    await shows('#requests td', '1100');
    await showsRows(200);
    await press('Show 200 older requests');
    await showsRows(400);
  });
});

describe('the other pages of the dashboard', () => {
  it('move the clock, hold it and let it run', async () => {
    const before = here.casa.clock.now();
    await press('+5m: advance the clock');
    await shows('#now', new Date(before + 300_000).toISOString().slice(11, 19));
    await shows('#pace', 'frozen');
    await here.page.click('#freeze');
    await shows('#pace', 'running');
    await here.page.getByLabel('Speed of the clock').selectOption('60');
    await shows('#pace', 'running 60×');
  });

  it('switch a response of one operation on and off', async () => {
    await visit('faults');
    await here.page.getByLabel('Operation of these faults').selectOption('listSites');
    await here.page.getByRole('switch', { name: 'Always: provider_error' }).click();
    await shows('#faults', 'always-provider_error-listSites error provider_error on operation listSites');
    expect([(await read('/sites')).status, (await read('/articles')).status]).toEqual([502, 200]);
    await here.page.getByRole('switch', { name: 'Always: provider_error', checked: true }).click();
    await shows('#faults', 'No active faults.');
    expect((await read('/sites')).status).toBe(200);
  });

  it('make the next request fail, and no other', async () => {
    await visit('faults');
    await here.page.getByRole('switch', { name: 'Next request: provider_auth' }).click();
    await here.page.getByRole('switch', { name: 'Next request: provider_auth', checked: true }).waitFor();
    expect([(await read('/sites')).status, (await read('/sites')).status]).toEqual([401, 200]);
    await here.page.getByRole('switch', { name: 'Next request: provider_auth', checked: false }).waitFor();
  });

  it('add a fault, count it and take it away', async () => {
    await visit('faults');
    await here.page.selectOption('select[name=operation]', 'listSites');
    await here.page.selectOption('select[name=error]', 'transient');
    await here.page.fill('input[name=times]', '2');
    await here.page.fill('input[name=skip]', '1');
    await here.page.locator('#faultform button').click();
    await shows('#faults', 'error transient, skip 1, times 2');
    expect([(await read('/sites')).status, (await read('/sites')).status]).toEqual([200, 503]);
    await shows('#faults', 'injected 1×');
    await press('Remove fault-1');
    await shows('#faults', 'No active faults.');
    await here.page.locator('#faultform button').click();
    await shows('#faultform [role=alert]', 'Choose an error, a network fault or a latency.');
    await here.page.click('#key button');
    await here.page.locator('#note', { hasText: 'Copied.' }).waitFor();
    await visit('calls');
    await here.page.locator('#note').waitFor({ state: 'hidden' });
  });

  it('follow a call from ringing to a poller', async () => {
    const since = new Date(here.casa.clock.now()).toISOString();
    await visit('calls');
    await here.page.fill('input[name=from]', '+15559999');
    await here.page.fill('input[name=durationS]', '600');
    await here.page.click('#ring');
    await shows('#note', 'Started the call');
    const call = here.page.locator('.call', { hasText: '+15559999' });
    await call.locator('.present', { hasText: /ended.* in 10:00/ }).waitFor();
    await call.getByRole('button', { name: 'End now' }).click();
    await call.locator('.present', { hasText: /visible.* in 5:00/ }).waitFor();
    await press('+1m: advance the clock');
    await call.locator('.present', { hasText: /visible.* in 4:00/ }).waitFor();
    await call.getByRole('button', { name: 'Make visible now' }).click();
    await call.locator('.present', { hasText: 'waits for a poll' }).waitFor();
    await read(`/connect/calls/log?limit=200&since=${since}`);
    await call.locator('[aria-current]', { hasText: 'returned' }).waitFor();
    await call.getByRole('link').click();
    await shows('#detail', '/api/v1/connect/calls/log');
  });

  it('change the status of an account, its lock and the payment', async () => {
    await visit('accounts');
    await here.page.getByLabel('Status of Main shop (google_business)').first().selectOption('expired');
    await expect.poll(async () => (await post()).status).toBe(401);
    await here.page.getByLabel('Status of Main shop (google_business)').first().selectOption('connected');
    await here.page.getByRole('switch', { name: 'Lock of Main shop (google_business)' }).first().click();
    await expect.poll(async () => (await post()).status).toBe(402);
    await here.page.getByRole('switch', { name: 'Lock of Main shop (google_business)', checked: true }).first().click();
    await here.page.getByLabel('Response for Main shop (google_business)').first().selectOption('rate_limited');
    await expect.poll(async () => (await post()).status).toBe(429);
    await here.page.getByLabel('Response for Main shop (google_business)').first().selectOption('none');
    await here.page.getByLabel('Payment').first().selectOption('renewal_pending');
    await expect.poll(async () => (await post()).status).toBe(402);
  });

  it('let a review arrive and publish an article', async () => {
    await visit('accounts');
    const reviews = async () =>
      (
        (await (await read(`/connect/accounts/${googleAccount}/reviews`)).json()) as {
          data: { reviews: { author: string }[] };
        }
      ).data.reviews;
    const offered = await here.page.getByRole('button', { name: /^New review on/ }).allTextContents();
    expect(offered.length).toBeGreaterThan(0);
    expect(
      await here.page.getByRole('button', { name: /^New review on .*\((?!google_business|facebook_page)/ }).count(),
    ).toBe(0);
    await press('New review on Main shop (google_business)');
    await shows('#note', 'A new customer gave Main shop 5 stars.');
    expect((await reviews())[0]?.author).toBe('A new customer');
    await here.page.locator('summary', { hasText: 'Publish an article' }).first().click();
    const button = here.page.locator('.organization button:enabled', { hasText: 'Publish' }).first();
    const title = (await button.getAttribute('title'))?.replace('Publish ', '');
    await button.click();
    await here.page
      .locator('button:disabled', { hasText: 'Publish' })
      .and(here.page.locator(`[title="Publish ${title}"]`))
      .waitFor();
    const { data } = (await (await read('/articles?limit=100')).json()) as {
      data: { title: string; status: string }[];
    };
    expect(data.find((article) => article.title === title)?.status).toBe('published');
  });

  it('make a fresh organization from a world, and reset everything', async () => {
    await visit('accounts');
    await here.page.selectOption('select[name=world]', 'empty');
    await here.page.fill('input[name=name]', 'Worker <b>9</b>');
    await here.page.click('#fresh');
    await shows('#note', 'Key: casa_');
    const organizations = here.page.locator('.organization');
    await shows('.organization', 'Worker <b>9</b>');
    await expect.poll(() => organizations.count()).toBe(3);
    await here.page.click('#reset');
    expect(await organizations.count()).toBe(3);
    await here.page.click('#reset');
    await organizations.nth(2).waitFor({ state: 'detached' });
    await expect.poll(() => organizations.count()).toBe(2);
    expect(here.complaints).toEqual([]);
  });

  it('show windows that fill and empty', async () => {
    await visit('limits');
    await here.page.getByRole('switch', { name: 'Rate limits are off' }).click();
    await here.page.getByRole('switch', { name: 'Rate limits are on' }).waitFor();
    for (let i = 0; i < 10; i += 1) await read('/sites');
    await shows('.gauges', '10 of 10, oldest expires in 10 s');
    expect((await read('/sites')).status).toBe(429);
    await press('+5m: advance the clock');
    await shows('#limits', 'No requests in this window.');
    await here.page.locator('summary', { hasText: 'Change limit' }).first().click();
    await here.page.locator('input[name=limit]').first().fill('3');
    await here.page.getByRole('button', { name: 'Set', exact: true }).first().click();
    await shows('#page-limits', '3 requests in 10 s');
  });

  it('take a snapshot, come back to it and remove it', async () => {
    await visit('snapshots');
    await here.page.fill('input[name=id]', 'before lunch');
    await here.page.click('#take');
    await shows('#snapshots', 'before lunch');
    here.casa.faults.add({ error: 'transient' });
    await press('Restore before lunch');
    await shows('#note', 'Restored before lunch.');
    expect(here.casa.faults.list()).toEqual([]);
    await press('Remove before lunch');
    await shows('#snapshots', 'No snapshots yet.');
  });

  it('run another world, and take worlds and snapshots from files', async () => {
    await visit('snapshots');
    await press('Load the world empty');
    await shows('#note', 'Loaded the world empty.');
    expect(here.casa.keys.list.length).toBeGreaterThan(0);
    const give = (name: string, text: string) =>
      here.page.setInputFiles('#from-file input', { name, mimeType: 'application/json', buffer: Buffer.from(text) });
    await give('tea.json', JSON.stringify({ articles: [{ title: 'Tea' }] }));
    await shows('#note', 'Loaded the world from tea.json.');
    expect(await (await read('/articles')).json()).toMatchObject({ data: [{ title: 'Tea' }] });
    await give('lunch.json', JSON.stringify(here.casa.snapshot()));
    await shows('#snapshots', 'lunch');
    for (const [content, problem] of [
      ['{"articles":[{"title":7}]}', 'It is not a world: '],
      ['{', 'bad.json is not valid JSON.'],
      ['[]', 'bad.json contains no JSON object.'],
    ] as const) {
      await give('bad.json', content);
      await shows('#from-file [role=alert]', problem);
    }
    await shows('#state', 'live');
    here.casa.reset();
  });

  it('show a report of casa try, and keep it while another page is open', async () => {
    const hasty = async ({ baseUrl, apiKey }: ClientUnderTest) => {
      for (let i = 0; i < 3; i += 1)
        await fetch(`${baseUrl}/sites`, { headers: { authorization: `Bearer ${apiKey}` } });
    };
    const buffer = Buffer.from(JSON.stringify(await tryClient(hasty, { cells: ['limits/read-limiter_key-600'] })));
    await visit('try');
    await shows('#page-try', 'No report yet.');
    const give = (name: string, file: Buffer) =>
      here.page.setInputFiles('#page-try input', { name, mimeType: 'application/json', buffer: file });
    await give('bad.json', Buffer.from('{}'));
    await shows('#page-try [role=alert]', 'bad.json is not a report of casa try.');
    await shows('#state', 'live');
    await give('casa-client.json', buffer);
    await shows('#try-summary', 'casa-client.json');
    expect(await here.page.inputValue('#page-try input')).toContain('casa-client.json');
    await shows('#try-summary', '2 test cases that were exercised');
    await shows('#page-try .card', 'Rules');
    await visit('calls');
    await visit('try');
    await shows('#try-dimensions tr', 'Rate limits');
    expect(await seriousFindings(here.page)).toEqual([]);
  });

  it('group violations, lead to the request, and forget them', async () => {
    await visit('violations');
    await shows('#page-violations', 'No violations.');
    for (let i = 0; i < 5; i += 1) await read('/nowhere');
    await shows('#page-violations h2', 'Retried a rejected request without a change');
    await shows('.violations li', `no operation ${here.casa.violations().length}×`);
    await shows('#page-violations', 'SWR: shouldRetryOnError');
    expect(await here.page.locator('.clause').first().getAttribute('href')).toMatch(/^\/__admin\/docs#7\.retry\./);
    await here.page.locator('.violations a').first().click();
    await shows('#drawer', `Request ${here.casa.violations()[0]?.requestIds.at(-1)}`);
    await visit('violations');
    await here.page.click('#clear-violations');
    await press('Clear all violations?');
    await shows('#page-violations', 'No violations.');
  });
});
