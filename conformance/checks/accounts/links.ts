// Connect links: malformed ones without permission to write, and with permission those that are made.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { linkAccounts } from '../../../src/contract/generated/limits.ts';
import { count } from '../../../src/terminal/count.ts';
import { dataOf, type Exchange, errorCode, isObstacle, nameOfResponse } from '../../exchange/exchange.ts';
import { type History, labelled, precedes, responsesTo } from '../../exchange/history.ts';
import { isOver } from '../../exchange/insights.ts';
import { type Fields, rowsAt } from '../../exchange/records.ts';
import { isCut, markOf, textMax } from '../../exchange/texts.ts';
import { about, aboutStatus, hasStatus, isRejected, judgeEach, readRows } from '../../judge/expect.ts';
import { inputOf, invalidInput, isNotInvalid, isNullTaken, isOfAccount } from '../../judge/inputs.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';
import * as written from '../../scenarios/written.ts';

const [endpoint, invalid, body] = [
  '4.connect.create-link.endpoint',
  '4.connect.create-link.invalid',
  '4.connect.create-link.body',
] as const;
const [ofProvider, ofLabel, ofMax] = [
  '2.connect-account-input.provider',
  '2.connect-account-input.label',
  '2.connect-account-input.max-accounts',
] as const;
const [ofDefault, ofInvite] = [
  '2.connect-account-input.max-accounts-default',
  '2.list-accounts-output.pending-invites.provider',
] as const;
const echoed = { provider: '2.connect-account-output.provider', label: '2.connect-account-output.label' } as const;

const malformed: Judged = {
  id: 'links/broken-body',
  title: 'POST /connect/accounts rejects bodies that are not JSON, or not a link',
  clauses: [body, invalid, '4.json', '4.connect.statuses'],
  scenarios: ['links/malformed', 'links/malformed-more'],
  *judge(history) {
    for (const [label, clause] of [
      ['malformed link', body],
      ['link of odd bytes', invalid],
    ] as const) {
      yield* judgeEach(history, labelled(history, label), (one) => [
        // A payment error can come before the body is read (R1).
        errorCode(one) === 'payment_required'
          ? { doubt: 'precondition', message: 'the organization must pay first' }
          : hasStatus(one, 400, clause),
      ]);
    }
  },
};

/** A link with another provider connects the wrong account. */
function* isEchoed(exchange: Exchange): Iterable<Judgment> {
  if (exchange.status !== 200) return;
  const [sent, data] = [inputOf(exchange), dataOf(exchange)];
  const claimOf = (name: keyof typeof echoed) => ({
    ...about(exchange, echoed[name], `/data/${name}`),
    ...{ expected: String(sent[name]), actual: show(data[name]) },
  });
  yield { ...claimOf('provider'), isTrue: data.provider === sent.provider };
  const isWhole = !isCut(String(sent.label), data.label);
  yield { ...claimOf('label'), isTrue: isWhole };
  if (isWhole && data.label !== sent.label) yield { ...claimOf('label'), severity: 'warn' };
}

/** The form of expiresAt is free (R7); where it can be read, a link is of no use that is over when it is made. */
function* isOpen(exchange: Exchange): Iterable<Judgment> {
  const { expiresAt } = dataOf(exchange);
  if (!isOver({ exchange, date: expiresAt })) return;
  const claim = about(exchange, '2.connect-account-output.expires-at', '/data/expiresAt');
  yield { ...claim, expected: 'an expiresAt in the future', actual: show(expiresAt), severity: 'warn' };
}

/** Whether a link is listed as an invite is not specified (R30). If so, it is as requested. */
function* isInvitedAs(history: History, made: Exchange): Iterable<Judgment> {
  const { label, provider, maxAccounts = 1 } = inputOf(made);
  if (made.status !== 200 || !String(label).startsWith(markOf(history))) return;
  const isOfLabel = (one: Exchange) => one.operation === 'createConnectLink' && inputOf(one).label === label;
  const list = history.exchanges.find(
    (one) => one.operation === 'listAccounts' && one.key === made.key && precedes(made, one),
  );
  const before = history.exchanges.slice(0, list === undefined ? 0 : history.exchanges.indexOf(list));
  // Only the label shows which invite it is.
  if (list === undefined || before.filter(isOfLabel).length > 1) return;
  const invites = invitesIn(list);
  const index = invites.findIndex((invite) => invite.label === label);
  const invite = invites[index];
  if (invite === undefined) return;
  const at = `/data/pendingInvites/${index}`;
  const isDefault = inputOf(made).maxAccounts === undefined;
  const words = { expected: `${maxAccounts}`, actual: show(invite.maxAccounts) };
  const isTrue = invite.maxAccounts === maxAccounts;
  yield { ...about(list, isDefault ? ofDefault : ofMax, `${at}/maxAccounts`), ...words, isTrue };
  const named = { expected: show(provider), actual: show(invite.provider), isTrue: invite.provider === provider };
  yield { ...about(list, ofInvite, `${at}/provider`), ...named };
}

const invitesIn = (list: Exchange): readonly Fields[] => rowsAt(list, '/data/pendingInvites') ?? [];

const creates: Judged = {
  id: 'links/creates',
  title: 'POST /connect/accounts creates a link with a default maxAccounts of 1',
  clauses: [
    endpoint,
    '4.connect.envelope',
    ofMax,
    ofDefault,
    echoed.provider,
    echoed.label,
    ofInvite,
    '5.provider-auth',
  ],
  scenarios: ['links/first-written'],
  *judge(history) {
    const first = labelled(history, written.firstLabels.createConnectLink);
    yield* judgeEach(history, first, function* (one) {
      const actual = nameOfResponse(one);
      // Where a request names no account, no platform can have rejected a stored authorization.
      const expected = 'another code, because the request names no account';
      if (actual === '401 provider_auth') yield { ...aboutStatus(one, '5.provider-auth'), expected, isTrue: false };
      else if (isOfAccount(one)) yield { doubt: 'precondition', message: `a link returns ${actual}` };
      else yield hasStatus(one, 200, endpoint);
      yield* isEchoed(one);
      yield* isOpen(one);
      yield* isInvitedAs(history, one);
    });
  },
};

/** The label identifies the run of the link. */
const elsewhere: Judged = {
  id: 'isolation/new-link',
  title: 'A new link is visible to its own organization only',
  clauses: ['1.organization-scope', '5.key-organization'],
  scenarios: ['links/of-another-organization'],
  *judge(history) {
    const [link] = labelled(history, written.firstLabels.createConnectLink);
    if (link?.status !== 200) return;
    for (const exchange of responsesTo(history, 'listAccounts', 'second').filter((one) => precedes(link, one))) {
      const invites = yield* readRows(exchange, '/data/pendingInvites');
      if (invites === null) continue;
      const isTrue = !invites.some(({ label }) => label === markOf(history));
      yield {
        ...about(exchange, '1.organization-scope', '/data/pendingInvites'),
        // An empty list may be one that shows no invites (R30).
        proves: invites.length === 0 ? [] : ['1.organization-scope', '5.key-organization'],
        expected: 'no invites of the first organization',
        actual: isTrue ? 'none' : `the invite ${show(markOf(history))}`,
        isTrue,
      };
    }
  },
};

const limits = {
  'link of the least values': 'a label of 1 character and maxAccounts 1',
  'link of the most values': `a label of ${textMax.label} characters and maxAccounts ${linkAccounts.max}`,
} as const;

const edges: Judged = {
  id: 'links/edges',
  title: 'Connect links accept all documented providers, and the minimum and maximum values',
  clauses: [
    ...(['8.label', '8.max-accounts', ofLabel, ofMax, '3.link.single-use', ofProvider, '2.provider'] as const),
    ...([echoed.provider, echoed.label, ofInvite, ofDefault] as const),
  ],
  scenarios: ['links/valid-written', 'links/providers'],
  *judge(history) {
    const made = (label: string) => labelled(history, label).slice(-1);
    for (const [label, what] of Object.entries(limits)) {
      yield* judgeEach(history, made(label), function* (one) {
        // Both are at their limit; the rejection can name the one that is too long.
        const claim = aboutStatus(one, /maxAccounts/.test(one.bodyText) ? '8.max-accounts' : '8.label');
        const proves = ['8.label', ofLabel, '8.max-accounts', ofMax] as const;
        if (isOfAccount(one)) yield { doubt: 'precondition', message: `${what}: ${nameOfResponse(one)}` };
        else yield { ...claim, proves, expected: `200 for ${what}`, isTrue: one.status === 200 };
      });
    }
    // A platform may not be on offer everywhere; yet the server must not deny that it is on the list (R28).
    const ofProviders = [...made('link of the last provider'), ...labelled(history, 'link of a provider')];
    yield* judgeEach(history, ofProviders, (one) => [
      isNotInvalid(one, { clause: ofProvider, expected: `200 for ${inputOf(one).provider}` }),
    ]);
    yield* judgeEach(history, made('link with a null maximum'), (one) => isNullTaken(one, ofMax));
    const all = [...Object.keys(limits).flatMap(made), ...ofProviders];
    for (const one of all) yield* isEchoed(one);
    for (const one of all) yield* isInvitedAs(history, one);
    const [first, second] = Object.keys(limits).flatMap(made);
    const url = first && dataOf(first).connectUrl;
    // R29: the meaning of single use is open, and yet one link for two labels can hardly be it.
    if (second !== undefined && url !== undefined && url === dataOf(second).connectUrl) {
      const claim = about(second, '3.link.single-use', '/data/connectUrl');
      yield { ...claim, expected: 'a separate link for each label', actual: show(url), severity: 'warn' };
    }
  },
};

const clausesOf = {
  provider: [ofProvider, '2.provider'],
  label: [ofLabel, '8.label'],
  maxAccounts: [ofMax, '8.max-accounts'],
  all: [invalid],
  body: [body],
} as const satisfies Record<keyof typeof written.invalidLinks, readonly [ClauseId, ...ClauseId[]]>;

const rejectsInvalid: Judged = {
  id: 'links/refuses-wrong-bodies',
  title: 'POST /connect/accounts rejects invalid bodies with 400 and creates no link',
  clauses: [invalid, body, ...clausesOf.provider, ...clausesOf.label, ...clausesOf.maxAccounts],
  scenarios: ['links/invalid-written'],
  *judge(history) {
    const rows = written.rowsIn(written.invalidLinks);
    for (const { what, field } of rows) {
      const [clause, ...also] = clausesOf[field];
      const wanted = { ...invalidInput, what, clause, proves: [clause, ...also] };
      yield* judgeEach(history, labelled(history, `link with ${what}`), (one) => [isRejected(one, wanted)]);
    }
    yield* judgeEach(history, labelled(history, 'link with no body'), (one) => [
      isObstacle(one)
        ? { doubt: 'precondition', message: nameOfResponse(one) }
        : { ...aboutStatus(one, body), expected: '400 for a missing body', isTrue: one.status === 400 },
    ]);
    yield* noneNew(history, rows.length);
  },
};

/** A new invite can be another user's, unless it has our label or there are half as many as rejected links. */
function* noneNew(history: History, rejections: number): Iterable<Judgment> {
  const [before] = labelled(history, written.invitesBefore);
  const [after] = labelled(history, written.invitesAfter);
  const known = before && (yield* readRows(before, '/data/pendingInvites'));
  const invites = after && (yield* readRows(after, '/data/pendingInvites'));
  if (!known || !invites || after === undefined) return;
  const fresh = invites.filter((invite) => !known.some(({ id }) => id === invite.id));
  const isCertain =
    fresh.some((invite) => invite.label === written.invalidLinksLabel) || fresh.length >= rejections / 2;
  if (fresh.length > 0 && !isCertain)
    return yield { doubt: 'interference', message: 'another user created links at the same time' };
  const actual = `${count(fresh.length, 'new invite')} after ${rejections} rejections`;
  const words = { expected: 'no new invite', actual, isTrue: fresh.length === 0 };
  yield { ...about(after, invalid, '/data/pendingInvites'), ...words };
}

export const links: readonly Judged[] = [malformed, creates, elsewhere, edges, rejectsInvalid];
