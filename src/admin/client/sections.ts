// The sections beside clock and journal: organizations, limits, faults, verdicts. Each loads and draws itself.
import type { Account, Fault, Health, Limits, Organization, Verdict } from './answers.ts';
import { showClock } from './clock.ts';
import { ask } from './control-plane.ts';
import { showRequest } from './journal.ts';
import { act, byId, copyButton, element, fill } from './page.ts';

const organizationsShown = 20;
const verdictsShown = 50;

/** Also the place where the page learns the base URL. */
export async function loadHealth(): Promise<void> {
  const health = await ask<Health>('GET', '/health');
  fill('base', copyButton(health.baseUrl));
  byId('profile').textContent = health.profile;
  showClock(health.clock);
}

/** The newest are shown: test runs add hundreds. */
export async function loadOrganizations(): Promise<void> {
  type Answer = { baseUrl: string; organizations: readonly Organization[] };
  const { baseUrl, organizations } = await ask<Answer>('GET', '/organizations');
  fill('organizations', ...organizations.slice(-organizationsShown).map(drawOrganization));
  const usable = organizations.flatMap(({ keys }) => keys).find(({ revoked }) => !revoked);
  byId('curl').textContent = `curl -H "Authorization: Bearer ${usable?.key ?? '<key>'}" "${baseUrl}/articles?limit=3"`;
}

function drawOrganization({ id, name, payment, keys, accounts }: Organization): HTMLElement {
  return element(
    'li',
    {},
    element('strong', {}, name),
    ' ',
    element('span', { class: 'soft mono' }, id),
    ' ',
    payment === 'ok' ? null : element('span', { class: 'chip warn' }, payment),
    ...keys.map(({ key, label, revoked }) =>
      element(
        'div',
        {},
        copyButton(key),
        element('span', { class: 'soft' }, label + (revoked ? ' (revoked: 401)' : '')),
      ),
    ),
    element(
      'details',
      {},
      element('summary', {}, `${accounts.length} accounts`),
      element('table', {}, ...accounts.map(drawAccount)),
    ),
  );
}

function drawAccount({ accountId, provider, label, status, locked, trouble }: Account): HTMLElement {
  const state = element('span', { class: status === 'connected' ? 'good' : 'warn' }, status);
  return element(
    'tr',
    {},
    element('td', {}, provider, element('div', { class: 'soft' }, label)),
    element('td', {}, state, locked ? ' locked' : '', trouble === 'none' ? '' : ` ${trouble}`),
    element('td', {}, copyButton(accountId)),
  );
}

/** In seconds, as the contract words them. */
export async function loadLimits(): Promise<void> {
  const { enforced, address, key } = await ask<Limits>('GET', '/limits');
  byId('limits').textContent = enforced
    ? `${address.limit} in ${address.windowMs / 1000} s per address, ${key.limit} in ${key.windowMs / 1000} s per key`
    : 'off';
  byId('enforce').textContent = enforced ? 'Lift' : 'Enforce';
  byId('enforce').dataset.to = String(!enforced);
}

export async function loadFaults(): Promise<void> {
  const { faults } = await ask<{ faults: readonly Fault[] }>('GET', '/faults');
  const none = element('li', { class: 'soft' }, 'None: every answer is a good one.');
  fill('faults', ...(faults.length === 0 ? [none] : faults.map(drawFault)));
}

function drawFault({ id, match, struck, ...effects }: Fault): HTMLElement {
  const shownEffects = Object.entries(effects)
    .map((pair) => pair.join(' '))
    .join(', ');
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'head' },
      element(
        'span',
        {},
        element('strong', {}, Object.values(match).join(' ') || 'every request'),
        ' ',
        element('span', { class: 'mono' }, shownEffects),
        element('span', { class: 'soft' }, ` struck ${struck}`),
      ),
      element('button', { onclick: act(() => ask('DELETE', `/faults/${encodeURIComponent(id)}`)) }, 'Remove'),
    ),
  );
}

/** The newest first, as a person at the page looks for what just happened. */
export async function loadVerdicts(): Promise<void> {
  const { verdicts } = await ask<{ verdicts: readonly Verdict[] }>('GET', '/verdicts');
  const none = element('li', { class: 'good' }, 'No client did anything against the contract.');
  const newest = verdicts.slice(-verdictsShown).reverse();
  fill('verdicts', ...(verdicts.length === 0 ? [none] : newest.map(drawVerdict)));
}

function drawVerdict({ rule, clause, message, requestIds }: Verdict): HTMLElement {
  return element(
    'li',
    {},
    element('strong', { class: 'bad' }, rule),
    ` ${message} `,
    element('span', { class: 'soft' }, `${clause} `),
    ...requestIds.map((id) => element('button', { class: 'plain', onclick: act(() => showRequest(id)) }, `#${id}`)),
  );
}
