// Requests for a record that only the other organization lists: each is rejected as if there were no such record.
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { words } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import { type Exchange, errorCode, type KeyName, nameOfResponse, rejectsNamedClient } from '../../exchange/exchange.ts';
import { type History, labelled, precedes, responsesTo } from '../../exchange/history.ts';
import { segmentOf } from '../../exchange/look.ts';
import { areOfOne, idsListedFor, isAccountId, type Organization, otherKey } from '../../exchange/organizations.ts';
import { recordsIn } from '../../exchange/records.ts';
import { about, hasStatus, isRejected, judgeable, type Rejection } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';

const clauses = ['1.foreign-record', '5.key-organization', '1.organization-scope'] as const;
const rejection: Rejection = {
  status: 404,
  code: 'not_found',
  clause: '1.foreign-record',
  proves: ['1.foreign-record', '5.key-organization'],
  shadows: ['payment_required'],
};

/** With the key of the account, whose state is checked before the review (R1). */
const itemRejection: Rejection = {
  ...rejection,
  shadows: ['payment_required', 'provider_auth', 'provider_permission', 'not_supported'],
};

const places: Readonly<Partial<Record<OperationId, number | 'siteId'>>> = {
  getArticle: 1,
  getSite: 1,
  listReviews: 2,
  getInsights: 2,
  listArticles: 'siteId',
  listKeywords: 'siteId',
};

const queryOf = ({ target }: Exchange) => new URLSearchParams(target.split('?')[1]);

function idNamedIn(exchange: Exchange): string | null {
  const place = exchange.operation === null ? undefined : places[exchange.operation];
  if (place === undefined) return null;
  const id = place === 'siteId' ? queryOf(exchange).get(place) : segmentOf(exchange, place);
  return id?.toLowerCase() ?? null;
}

const records: Judged = {
  id: 'isolation/records',
  title: 'Records of another organization return 404, and only to the other one',
  clauses,
  scenarios: ['isolation/lists', 'isolation/by-turns', 'isolation/filters', 'isolation/reviews'],
  *judge(history) {
    // Every key can be invalid in the traffic of a client. Two keys of one organization: isolation/all-responses.
    if (history.isRecorded || areOfOne(history)) return;
    for (const key of ['good', 'second'] as const) {
      const [own, others] = [idsListedFor(history, key), idsListedFor(history, otherKey(key))];
      for (const exchange of responsesTo(history, null, key)) {
        const id = idNamedIn(exchange);
        if (id === null) continue;
        if (others.has(id) && !own.has(id)) yield* isHidden(exchange, id);
        else if (own.has(id) && !others.has(id)) yield* isKept(history, exchange, id);
      }
    }
  },
};

function* isHidden(exchange: Exchange, id: string): Iterable<Judgment> {
  const { operation, status } = exchange;
  if (places[operation as OperationId] === 'siteId') {
    const shown = recordsIn(exchange).length;
    // Rejected, not found, or empty (R21); rows are the only invalid response.
    const isTrue = status === 404 || status === 400 || (status === 200 && shown === 0);
    const actual = status === 200 ? `200 with ${count(shown, 'record')}` : nameOfResponse(exchange);
    yield { ...about(exchange, '1.foreign-record', '/data'), expected: '404 or an empty list', actual, isTrue };
    return;
  }
  // Another organization's cursor, or an account id without the pattern of inputs, can be malformed (R10).
  const isMalformed = queryOf(exchange).size > 0 || (segmentOf(exchange, 0) === 'connect' && !isAccountId(id));
  if (!isMalformed || status !== 400) yield isRejected(exchange, rejection);
}

/** A 404 that the other key got is not this one's, unless the record is gone (R59). */
function* isKept(history: History, exchange: Exchange, id: string): Iterable<Judgment> {
  const list = { getArticle: 'listArticles', getSite: 'listSites' }[String(exchange.operation)];
  const key = exchange.key as Organization;
  const isBefore = (one: Exchange) => one.target === exchange.target && precedes(one, exchange);
  if (list === undefined || !responsesTo(history, exchange.operation, otherKey(key)).some(isBefore)) return;
  const lists = responsesTo(history, list as OperationId, key);
  const witness = lists.find((one) => recordsIn(one).some((row) => String(row.id).toLowerCase() === id));
  if (witness === undefined) return;
  const words = { expected: '200, as the organization has the record', actual: nameOfResponse(exchange) };
  const claim = { ...about(exchange, '5.key-organization', '#status'), ...words };
  yield { ...claim, isTrue: exchange.status === 200, of: [exchange], rows: [{ id }], witness };
}

/** Of one kind: a write needs its permission. */
function written(kind: 'posts' | 'replies', title: string): Judged {
  return {
    id: `isolation/${kind}`,
    title,
    clauses: ['1.foreign-record', '5.key-organization'],
    scenarios: ['isolation/lists', `isolation/${kind}`],
    *judge(history) {
      for (const exchange of labelled(history, `${kind}: a record of another organization`))
        if (yield* judgeable(history, exchange))
          yield isRejected(exchange, exchange.key === 'good' ? itemRejection : rejection);
    },
  };
}

export const isolation: readonly Judged[] = [
  records,
  written('posts', 'POST .../posts returns 404 for an account of another organization'),
  written('replies', 'POST .../reply returns 404 for an account or a review of another organization'),
];

// Requests without a valid key, of every scenario and burst: the key is checked before anything else of a request.

type Credential = 'missing' | 'unknown' | 'revoked' | 'of another scheme';

function credentialOf({ key, requestHeaders: { authorization = 'Bearer ' } }: Exchange): Credential {
  if (key === 'revoked') return key;
  if (key === 'none' || authorization === 'Bearer') return 'missing';
  return /^Bearer /i.test(authorization) ? 'unknown' : 'of another scheme';
}

const invalidKeys = ['none', 'wrong', 'revoked'] as const satisfies readonly KeyName[];

/** Recorded traffic can have valid keys that are unknown to us, or lack a key that was sent. */
function requestsWith(history: History, credential: Credential): readonly Exchange[] {
  const all = history.isRecorded ? [] : invalidKeys.flatMap((key) => responsesTo(history, null, key));
  return all.filter((one) => one.operation !== null && !rejectsNamedClient(one) && credentialOf(one) === credential);
}

type OfKey = '5.missing-key' | '5.invalid-key' | '5.revoked-key';

function* unauthorized(exchange: Exchange, ofKey: OfKey, clause: OfKey | '4.bearer' = ofKey): Iterable<Judgment> {
  const tested = isRejected(exchange, {
    status: 401,
    code: 'unauthorized',
    // It would make a client reconnect an account.
    clause: errorCode(exchange) === 'provider_auth' ? '5.provider-auth' : clause,
    proves: [ofKey, '4.bearer', '5.provider-auth'],
  });
  const isLate = exchange.status === 400 || exchange.status === 404;
  yield isLate ? { ...tested, message: 'the key comes before parameters and records' } : tested;
  // Its row lists no statuses; the 401 is a separate clause.
  const listed = exchange.operation === 'listCalls' ? hasStatus(exchange, 401, '4.calls.statuses') : null;
  if (listed !== null) yield listed;
}

const rows: Readonly<Record<Credential, Pick<Judged, 'id' | 'title' | 'clauses' | 'scenarios'>>> = {
  missing: {
    ...{ id: 'auth/missing-key', title: 'Requests without a key return 401 unauthorized' },
    clauses: words('5.missing-key 4.bearer 5.bearer-header 5.provider-auth 4.calls.statuses'),
    scenarios: ['keys/after-valid', 'keys/every-endpoint', 'keys/every-endpoint-extended'],
  },
  unknown: {
    ...{ id: 'auth/wrong-key', title: 'Requests with an unknown or altered key return 401 unauthorized' },
    clauses: words('5.invalid-key 4.bearer 5.provider-auth 7.code.unauthorized 4.calls.statuses'),
    scenarios: ['keys/after-valid', 'keys/altered'],
  },
  revoked: {
    ...{ id: 'auth/revoked-key', title: 'Requests with a revoked key return 401 unauthorized' },
    clauses: words('5.revoked-key 4.bearer 5.provider-auth 4.calls.statuses'),
    scenarios: ['keys/revoked'],
  },
  'of another scheme': {
    ...{ id: 'auth/other-schemes', title: 'Other schemes than Bearer return 401 unauthorized' },
    clauses: words('5.bearer-header 5.missing-key 4.bearer 5.provider-auth'),
    scenarios: ['keys/other-schemes'],
  },
};

const tests: Readonly<Record<Credential, (exchange: Exchange) => Iterable<Judgment>>> = {
  // An endpoint that works without the credential, or another kind of rejection.
  missing: (one) => unauthorized(one, '5.missing-key', one.status < 401 || one.status === 404 ? '4.bearer' : undefined),
  *unknown(one) {
    // A key is opaque, and its digits are hexadecimal: whether their case counts is open (interpretation R61).
    const isOpen = one.label === 'key in another letter case' && one.status === 200;
    const words = { expected: '401, or 200 if keys are case-insensitive', actual: '200' };
    if (isOpen) yield { ...about(one, '5.invalid-key', '#status'), ...words, severity: 'note' };
    else yield* unauthorized(one, '5.invalid-key');
  },
  revoked: (one) => unauthorized(one, '5.revoked-key'),
  *'of another scheme'(one) {
    const isBare = !/\s/.test(one.requestHeaders.authorization ?? '');
    const words = { expected: '401 for a key without a scheme', actual: nameOfResponse(one) };
    // Only Bearer is a scheme of the contract. A server that takes the valid key without a scheme reads it leniently.
    if (isBare && one.status === 200) yield { ...about(one, '5.bearer-header', '#status'), ...words, severity: 'warn' };
    else yield* unauthorized(one, '5.missing-key', '4.bearer');
  },
};

export const authentication = (Object.keys(rows) as Credential[]).map(
  (credential): Judged => ({
    ...rows[credential],
    *judge(history) {
      for (const exchange of requestsWith(history, credential)) yield* tests[credential](exchange);
    },
  }),
);
