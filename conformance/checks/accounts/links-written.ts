// Connect links with permission to write. A link cannot be taken back; it expires by itself.

import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { linkAccounts } from '../../../src/contract/generated/limits.ts';
import { words } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import { expectNoAccount, isObstacle } from '../../assertions/accounts.ts';
import { isOver } from '../../assertions/insights.ts';
import {
  expectNotInvalid,
  invalidInput,
  isCut,
  isOfAccount,
  noteNull,
  sendUnusual,
  tag,
  textMax,
  unusualText,
  wideText,
} from '../../assertions/writes.ts';
import { dataOf, type Exchange, nameOfResponse } from '../../exchange/exchange.ts';
import { about, aboutStatus } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { type Row, rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

const needs = ['writes:links'] as const;
const provider = 'google_business';

/** One write, which the run counts and announces. */
function link(probe: Probe, body: unknown): Promise<Exchange> {
  return probe.write({ operation: 'createConnectLink', body });
}

/** Reads the list afterwards, because the response itself does not say maxAccounts. */
const creates: CheckRow = {
  id: 'links/creates',
  title: 'POST /connect/accounts creates a link with a default maxAccounts of 1',
  cites: [
    '4.connect.create-link.endpoint',
    '4.connect.envelope',
    '2.connect-account-input.max-accounts',
    '2.connect-account-input.max-accounts-default',
    '2.connect-account-output.provider',
    '2.connect-account-output.label',
  ],
  needs,
  mutates: 'one connect link',
  after: [],
  cost: { requests: 2, writes: 1 },
  async run(probe) {
    const label = tag(probe);
    const exchange = await link(probe, { provider, label });
    if (!expectNoAccount(probe, exchange)) return;
    if (isOfAccount(exchange)) probe.stop('precondition', `a link for ${provider} returns ${nameOfResponse(exchange)}`);
    if (!probe.expectStatus(exchange, 200, '4.connect.create-link.endpoint')) return;
    expectEcho(probe, exchange, { provider, label });
    warnOfOver(probe, exchange);
    const after = await probe.send({ operation: 'listAccounts' });
    const invites = rowsOf(after, ['data', 'pendingInvites']);
    const index = invites.findIndex((invite) => invite.label === label);
    // Whether a link is listed as an invite is not specified (R30). If so, its number is checked.
    if (index === -1) return;
    probe.holds(invites[index]?.maxAccounts === 1, {
      ...about(after, '2.connect-account-input.max-accounts-default', `/data/pendingInvites/${index}/maxAccounts`),
      expected: '1',
      actual: show(invites[index]?.maxAccounts),
    });
  },
};

/** The label identifies the run of the link. */
const elsewhere: CheckRow = {
  id: 'isolation/new-link',
  title: 'A new link is visible to its own organization only',
  cites: ['1.organization-scope', '5.key-organization'],
  needs: [...needs, 'second-key'],
  after: ['isolation/lists', 'links/creates'],
  cost: { requests: 1 },
  async run(probe) {
    const exchange = await probe.send({ operation: 'listAccounts', key: 'second' });
    if (exchange.status !== 200) return probe.stop('precondition', `the list returns ${nameOfResponse(exchange)}`);
    const invites = rowsOf(exchange, ['data', 'pendingInvites']);
    const index = invites.findIndex((invite) => invite.label === tag(probe));
    probe.holds(index === -1, {
      ...about(exchange, '1.organization-scope', '/data/pendingInvites'),
      // An empty list may be one that shows no invites (R30).
      proves: invites.length === 0 ? [] : ['1.organization-scope', '5.key-organization'],
      expected: 'no invites of the first organization',
      actual: index === -1 ? 'none' : `the invite ${show(tag(probe))}`,
    });
  },
};

/** A link with another provider connects the wrong account. */
function expectEcho(probe: Probe, exchange: Exchange, requested: { provider: string; label: string }): void {
  const data = dataOf(exchange);
  const claimOf = (name: 'provider' | 'label') =>
    ({ pointer: `/data/${name}`, expected: requested[name], actual: show(data[name]), exchange }) as const;
  const isProvider = data.provider === requested.provider;
  probe.holds(isProvider, { ...claimOf('provider'), clause: '2.connect-account-output.provider' });
  const label = { ...claimOf('label'), clause: '2.connect-account-output.label' } as const;
  const isWhole = probe.holds(!isCut(requested.label, data.label), label);
  if (isWhole && data.label !== requested.label) probe.warn(label);
}

/** The form of expiresAt is free (R7); where it can be read, a link is of no use that is over when it is made. */
function warnOfOver(probe: Probe, exchange: Exchange): void {
  const { expiresAt } = dataOf(exchange);
  if (!isOver({ exchange, date: expiresAt })) return;
  const claim = about(exchange, '2.connect-account-output.expires-at', '/data/expiresAt');
  probe.warn({ ...claim, expected: 'an expiresAt in the future', actual: show(expiresAt) });
}

/** All of section 2 but google_business, which links/creates uses, and google_contacts, which links/edges uses. */
const allProviders = words(
  'facebook_page tiktok instagram google_analytics google_search_console google_ads google_calendar',
);

const providers: CheckRow = {
  id: 'links/providers',
  title: 'POST /connect/accounts accepts all documented providers',
  cites: [
    '2.connect-account-input.provider',
    '2.provider',
    '2.connect-account-output.provider',
    '2.connect-account-output.label',
  ],
  needs: [...needs, 'extended'],
  mutates: 'seven connect links, one for each other provider',
  cost: { requests: allProviders.length, writes: allProviders.length },
  async run(probe) {
    for (const other of allProviders) {
      const exchange = await link(probe, { provider: other, label: tag(probe) });
      const words = { clause: '2.connect-account-input.provider', expected: `200 for ${other}` } as const;
      expectNotInvalid(probe, exchange, words);
      if (exchange.status === 200) expectEcho(probe, exchange, { provider: other, label: tag(probe) });
    }
  },
};

/** Both limits in one link, since each link stays until it expires. */
const edges: CheckRow = {
  id: 'links/edges',
  title: 'Connect links accept the minimum and maximum values',
  cites: [
    '8.label',
    '8.max-accounts',
    '2.connect-account-input.label',
    '2.connect-account-input.max-accounts',
    '3.link.single-use',
    '2.connect-account-input.provider',
    '2.connect-account-output.provider',
    '2.connect-account-output.label',
    '2.list-accounts-output.pending-invites.provider',
  ],
  needs,
  mutates: 'three connect links',
  cost: { requests: 4, confirms: 1, writes: 4 },
  async run(probe) {
    const longest = `${tag(probe)} ${wideText(textMax.label)}`.slice(0, textMax.label);
    const bodies = [
      ['a label of 1 character and maxAccounts 1', { provider, label: 'x', maxAccounts: 1 }],
      [
        `a label of ${textMax.label} characters and maxAccounts ${linkAccounts.max}`,
        { provider, label: longest, maxAccounts: linkAccounts.max },
      ],
    ] as const;
    const urls: unknown[] = [];
    for (const [what, body] of bodies) {
      const exchange = await link(probe, body);
      if (isOfAccount(exchange)) return probe.stop('precondition', `${what}: ${nameOfResponse(exchange)}`);
      probe.holds(exchange.status === 200, {
        // Both are at their limit; the rejection can name the one that is too long.
        ...aboutStatus(exchange, /maxAccounts/.test(exchange.bodyText) ? '8.max-accounts' : '8.label'),
        proves: ['8.label', labelClause, '8.max-accounts', maxClause],
        expected: `200 for ${what}`,
      });
      if (exchange.status === 200) expectEcho(probe, exchange, body);
      urls.push(dataOf(exchange).connectUrl ?? exchange.id);
    }
    const labels = [`${tag(probe)} \u{1F600}${unusualText}`, tag(probe)] as const;
    const lastOf = (text: string) => ({ provider: 'google_contacts', label: text });
    const { exchange: last, text } = await sendUnusual(labels, (text) => link(probe, lastOf(text)));
    // A platform may not be on offer everywhere; yet the server must not deny that it is on the list (R28).
    const clause = '2.connect-account-input.provider';
    expectNotInvalid(probe, last, { clause, expected: '200 for the last provider of the list' });
    if (last.status === 200) expectEcho(probe, last, lastOf(text));
    // R29: the meaning of single use is open, and yet one link for two labels can hardly be it.
    if (urls[0] === urls[1])
      probe.warn({ clause: '3.link.single-use', expected: 'a separate link for each label', actual: show(urls[0]) });
    const after = await probe.send({ operation: 'listAccounts' });
    if (text !== tag(probe)) expectProvider(probe, after, lastOf(text));
    expectMax(probe, after, longest);
  },
};

/** Whether a link is listed as an invite is not specified (R30). If so, it shows the requested number. */
function expectMax(probe: Probe, exchange: Exchange, longest: string): void {
  if (exchange.status !== 200) return;
  const invites = rowsOf(exchange, ['data', 'pendingInvites']);
  const index = invites.findIndex((invite) => invite.label === longest);
  const { maxAccounts } = invites[index] ?? {};
  if (index === -1) return;
  const claim = about(exchange, maxClause, `/data/pendingInvites/${index}/maxAccounts`);
  const words = { expected: `${linkAccounts.max}, as requested`, actual: show(maxAccounts) };
  probe.holds(maxAccounts === linkAccounts.max, { ...claim, ...words });
}

/** An invite that only a label of this run names has its provider. */
function expectProvider(probe: Probe, exchange: Exchange, { provider, label }: { provider: string; label: string }) {
  const invites = exchange.status === 200 ? rowsOf(exchange, ['data', 'pendingInvites']) : [];
  const index = invites.findIndex((invite) => invite.label === label);
  if (index === -1) return;
  const found = invites[index]?.provider;
  const claim = about(
    exchange,
    '2.list-accounts-output.pending-invites.provider',
    `/data/pendingInvites/${index}/provider`,
  );
  probe.holds(found === provider, { ...claim, expected: show(provider), actual: show(found) });
}

const label = 'casa-kit';
const providerClause = '2.connect-account-input.provider';
const labelClause = '2.connect-account-input.label';
const maxClause = '2.connect-account-input.max-accounts';

/** The limits of section 8 that repeat those of the inputs. */
const limitsOf: Partial<Record<ClauseId, readonly ClauseId[]>> = {
  [labelClause]: ['8.label'],
  [maxClause]: ['8.max-accounts'],
  [providerClause]: ['2.provider'],
};

/** Each body is wrong in one thing only. */
const invalidBodies: readonly (readonly [what: string, clause: ClauseId, body: unknown])[] = [
  ['no provider', providerClause, { label }],
  ['an unknown provider', providerClause, { provider: 'casa_conformance', label }],
  ['a platform that is not on the list', providerClause, { provider: 'linkedin', label }],
  ['a provider in capitals', providerClause, { provider: provider.toUpperCase(), label }],
  ['no label', labelClause, { provider }],
  ['an empty label', labelClause, { provider, label: '' }],
  [`a label of ${textMax.label + 1} characters`, labelClause, { provider, label: 'x'.repeat(textMax.label + 1) }],
  ['a number as label', labelClause, { provider, label: 7 }],
  ['null as label', labelClause, { provider, label: null }],
  ['maxAccounts 0', maxClause, { provider, label, maxAccounts: 0 }],
  [`maxAccounts ${linkAccounts.max + 1}`, maxClause, { provider, label, maxAccounts: linkAccounts.max + 1 }],
  ['maxAccounts 2147483648', maxClause, { provider, label, maxAccounts: 2_147_483_648 }],
  ['maxAccounts 1.5', maxClause, { provider, label, maxAccounts: 1.5 }],
  ['maxAccounts "3"', maxClause, { provider, label, maxAccounts: '3' }],
  ['a list as label', labelClause, { provider, label: [label] }],
  ['null as provider', providerClause, { provider: null, label }],
  ['half a provider', providerClause, { provider: 'google', label }],
  ['a provider with a blank', providerClause, { provider: `${provider} `, label }],
  ['maxAccounts true', maxClause, { provider, label, maxAccounts: true }],
  ['an input wrong in all three', '4.connect.create-link.invalid', { provider: 'casa', label: '', maxAccounts: 99 }],
  ['null instead of the input', '4.connect.create-link.body', null],
  ['the input in an array', '4.connect.create-link.body', [{ provider, label }]],
];

/** Stops at the first body that is taken: more of them would make more links. */
const rejectsInvalid: CheckRow = {
  id: 'links/refuses-wrong-bodies',
  title: 'POST /connect/accounts rejects invalid bodies with 400 and creates no link',
  cites: [
    '4.connect.create-link.invalid',
    '4.connect.create-link.body',
    providerClause,
    labelClause,
    maxClause,
    '8.label',
    '8.max-accounts',
    '2.provider',
  ],
  needs,
  mutates: 'nothing, unless the target accepts invalid requests',
  cost: { requests: invalidBodies.length + 3, writes: invalidBodies.length + 1 },
  async run(probe) {
    const before = await invitesNow(probe);
    for (const [what, clause, body] of invalidBodies) {
      const exchange = await link(probe, body);
      const proves = [clause, ...(limitsOf[clause] ?? [])];
      probe.expectRejection(exchange, { ...invalidInput, what, clause, proves });
      if (exchange.status === 200) return;
    }
    const none = await link(probe, undefined);
    if (isObstacle(none)) return probe.stop('precondition', nameOfResponse(none));
    const claim = { ...aboutStatus(none, '4.connect.create-link.body'), expected: '400 for a missing body' };
    if (!probe.holds(none.status === 400, claim)) return;
    expectNoneNew(probe, before, await invitesNow(probe));
  },
};

async function invitesNow(probe: Probe): Promise<readonly Row[]> {
  return rowsOf(await probe.send({ operation: 'listAccounts' }), ['data', 'pendingInvites']);
}

/** A new invite can be another user's, unless it has our label or there are half as many as rejected links. */
function expectNoneNew(probe: Probe, before: readonly Row[], after: readonly Row[]): void {
  const isKnown = (invite: Row) => before.some(({ id }) => id === invite.id);
  const fresh = after.filter((invite) => !isKnown(invite));
  const ours = fresh.filter((invite) => invite.label === label);
  const isCertain = ours.length > 0 || fresh.length >= invalidBodies.length / 2;
  if (fresh.length > 0 && !isCertain) {
    probe.doubt('interference', 'another user created links at the same time');
    return;
  }
  const claim = { clause: '4.connect.create-link.invalid', pointer: '/data/pendingInvites' } as const;
  const actual = `${count(fresh.length, 'new invite')} after ${invalidBodies.length} rejections`;
  probe.holds(fresh.length === 0, { ...claim, expected: 'no new invite', actual });
}

const nullMax: CheckRow = {
  id: 'links/null-max-accounts',
  title: 'POST /connect/accounts returns no server error for a null maxAccounts',
  cites: [maxClause],
  level: 'should',
  needs,
  mutates: 'one connect link, where null is read as absent',
  cost: { requests: 1, writes: 1 },
  async run(probe) {
    noteNull(probe, await link(probe, { provider, label: tag(probe), maxAccounts: null }), maxClause);
  },
};

export const linksWritten = defineChecks({ phase: 'writes', after: ['links/creates'] }, [
  creates,
  elsewhere,
  edges,
  rejectsInvalid,
  nullMax,
  providers,
]);
