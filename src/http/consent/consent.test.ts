import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { applyWorldChange } from '../../domain/change.ts';
import { createClock } from '../../domain/clock.ts';
import { createLink, linkLifetimeMs, listAccounts } from '../../domain/links.ts';
import { createWorld, type Organization } from '../../domain/world.ts';
import { builtInWorld } from '../../worlds/load.ts';
import type { CoreRequest } from '../message.ts';
import { type ConsentResponse, serveConsent } from './consent.ts';
import { consentStyle, consentStyleHash } from './consent-page.ts';

const startMs = Date.parse('2026-03-02T09:00:00.000Z');
const encoder = new TextEncoder();
const empty = await builtInWorld('empty');

type Scenario = ReturnType<typeof openLink>;

function openLink(maxAccounts = 1, label = 'Harbor Bakery') {
  const world = createWorld(empty, { clock: createClock(() => 0, { startMs, frozen: true }) });
  const organization = world.organizations.get('org_1') as Organization;
  const input = { provider: 'google_business' as const, label, maxAccounts };
  const link = createLink(input, { random: world.random, nowMs: startMs });
  organization.links.set(link.token, link);
  const serve = (method: string, form?: string, path = `/connect/${link.token}`, query = '') => {
    const response = serveConsent({ ...request(method, path, form), query }, world) as ConsentResponse;
    if (response.change) applyWorldChange(world, response.change);
    return response;
  };
  return { world, organization, link, serve, ask: (...asked: Parameters<typeof serve>) => serve(...asked).response };
}

function request(method: string, path: string, form?: string): CoreRequest {
  const body = form === undefined ? null : encoder.encode(form);
  return { method, path, query: '', headers: {}, body, peer: '127.0.0.1', origin: 'http://mock' };
}

describe('the consent page', () => {
  it.each(['/', '/connect', '/connect/', '/api/v1/connect/accounts', '/connect/a/b'])('leaves %s to others', (path) => {
    const { world } = openLink();
    expect(serveConsent(request('GET', path), world)).toBeNull();
  });

  it('shows an open link with label, platform, organization and expiry', () => {
    const page = openLink().ask('GET');
    expect(page.status).toBe(200);
    for (const text of ['Harbor Bakery', 'Google Business Profile', 'Empty House', '2026-03-09 at 09:00 UTC', '7 days'])
      expect(page.body).toContain(text);
  });

  it('offers as many names as the link allows', () => {
    expect(String(openLink(20).ask('GET').body).match(/name="name"/g)).toHaveLength(20);
  });

  it.each([
    [1, 'name=A', 200],
    [1, '', 400],
    [1, 'name=', 400],
    [1, 'name=+++', 400],
    [1, 'name=A&name=B', 400],
    [1, 'name=A&name=', 200],
    [3, 'name=A&name=B&name=C', 200],
    [3, 'name=A&name=B&name=C&name=D', 400],
    [1, `name=${'é'.repeat(80)}`, 200],
    [1, `name=${'é'.repeat(81)}`, 400],
    [1, '{"name":"A"}', 400],
    [1, `name=A&x=${'x'.repeat(70_000)}`, 413],
  ])('responds to a form for %i accounts with the body %.40s with %i', (maxAccounts, form, status) => {
    const { ask, organization } = openLink(maxAccounts);
    const page = ask('POST', form);
    expect(page.status).toBe(status);
    expect(organization.accounts.size > 0).toBe(status === 200);
    if (status === 400) expect(page.body).toMatch(/role="alert">[A-Z].*\.</);
  });

  it('keeps the input after a mistake', () => {
    const page = openLink(2).ask('POST', 'name=One&name=Two&name=Three');
    for (const name of ['One', 'Two', 'Three']) expect(page.body).toContain(`value="${name}"`);
  });

  it('distinguishes used, expired and unknown links', () => {
    const used = openLink();
    used.ask('POST', 'name=Old+Town');
    expect(used.ask('GET').body).toContain('already been used');
    const expired = openLink();
    expired.world.clock.advance(linkLifetimeMs);
    expect(expired.ask('GET').body).toContain('has expired');
    const unknown = openLink().ask('GET', undefined, '/connect/0123');
    expect([unknown.status, String(unknown.body).includes('Link not found')]).toEqual([404, true]);
  });

  it('lets the customer deny, which leaves the link open and the world unchanged', () => {
    const { serve, ask, organization } = openLink();
    const denied = serve('POST', 'name=Old+Town&end=deny');
    expect([denied.response.status, denied.change]).toEqual([200, null]);
    expect(denied.response.body).toContain('You did not connect <b>Harbor Bakery</b>');
    const { accounts, pendingInvites } = listAccounts(organization, startMs);
    expect([accounts, pendingInvites]).toMatchObject([[], [{ label: 'Harbor Bakery' }]]);
    expect(ask('POST', 'name=Old+Town').status).toBe(200);
  });

  it('lets a link expire at once, for people who want to see it', () => {
    const { ask, organization } = openLink();
    const page = ask('POST', 'end=expire');
    expect([page.status, String(page.body).includes('has expired')]).toEqual([410, true]);
    expect(listAccounts(organization, startMs).pendingInvites).toEqual([]);
    expect([ask('GET').status, ask('POST', 'name=A').status]).toEqual([410, 410]);
  });

  it('says on every page that it is a mock', () => {
    const { ask } = openLink();
    for (const page of [ask('GET'), ask('POST', 'end=deny'), ask('POST', 'name=A'), ask('GET')])
      expect(page.body).toContain('This is a mock. It contacts no platform');
  });

  it('offers GET, HEAD and POST only', () => {
    const page = openLink().ask('DELETE');
    expect([page.status, page.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('escapes label and names', () => {
    const evil = `<script>alert("1")</script>&'`;
    const { ask } = openLink(1, evil);
    const pages = [ask('GET'), ask('POST', `name=${encodeURIComponent(evil)}`), ask('GET')];
    for (const page of pages) expect(page.body).not.toContain('<script');
    expect(pages[1]?.body).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;');
  });

  it('lets the browser load, run and frame nothing, and names its style by the right hash', () => {
    const { headers, body } = openLink().ask('GET');
    const hash = createHash('sha256').update(consentStyle).digest('base64');
    expect(consentStyleHash).toBe(`sha256-${hash}`);
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(body).not.toMatch(/ style=|<script|https?:\/\//);
  });

  it('gives a new account insights, and reviews where the platform has them', () => {
    const { ask, organization } = openLink();
    ask('POST', 'name=Old+Town');
    const account = [...organization.accounts.values()][0];
    expect(account?.metrics.map(({ key }) => key)).toContain('views_maps');
    expect(account?.reviews.toData()).toHaveLength(12);
    expect(account?.reviews.toData().every(({ date }) => Date.parse(date) < startMs)).toBe(true);
  });
});

describe('the way back to the app', () => {
  const app = 'https://app.example/settings?tab=2#accounts';
  const ask = (scenario: Scenario, method: string, form?: string, returnUrl = app) =>
    String(scenario.ask(method, form, undefined, `returnUrl=${encodeURIComponent(returnUrl)}`).body);
  const backOf = (page: string) => /class="back" href="([^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? null;

  it.each([
    ['deny', 'end=deny', 'connect=denied'],
    ['expire', 'end=expire', 'connect=expired'],
  ])('notifies the app of %s', (_what, form, told) => {
    expect(backOf(ask(openLink(), 'POST', form))).toBe(`https://app.example/settings?tab=2&${told}#accounts`);
  });

  it('notifies the app of the accounts, and that the link is used up', () => {
    const scenario = openLink(2);
    expect(backOf(ask(scenario, 'GET'))).toBeNull();
    const back = new URL(backOf(ask(scenario, 'POST', 'name=A&name=B')) ?? '');
    expect(back.searchParams.get('connect')).toBe('connected');
    expect(back.searchParams.getAll('accountId')).toEqual([...scenario.organization.accounts.keys()]);
    expect(backOf(ask(scenario, 'GET'))).toContain('connect=used');
  });

  it('links to an app of a phone as well', () => {
    const back = backOf(ask(openLink(), 'POST', 'end=deny', 'harbor://connect/done'));
    expect(back).toBe('harbor://connect/done?connect=denied');
  });

  it.each([
    ...['javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,<b>', 'vbscript:x'],
    ...['file:///etc/passwd', '/settings', 'no address', `https://a.example/${'x'.repeat(2000)}`],
  ])('is not %.30s, and the page says so', (returnUrl) => {
    for (const [method, form] of [['GET'], ['POST', 'end=deny']] as const) {
      const page = ask(openLink(), method, form, returnUrl);
      expect(backOf(page)).toBeNull();
      expect(page).toContain('The returnUrl is not an absolute URL of an app');
    }
  });

  it('is markup nowhere', () => {
    const page = ask(openLink(), 'POST', 'end=deny', 'https://a.example/"><script>alert(1)</script>');
    expect(page).not.toContain('<script');
  });
});
