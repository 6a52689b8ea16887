// Requests without a valid key, of every scenario and burst: the key is checked before anything else of a request.
import { type Exchange, errorCode, type KeyName, nameOfResponse, rejectsNamedClient } from '../../exchange/exchange.ts';
import { type History, responsesTo } from '../../exchange/history.ts';
import { about, hasStatus, isRejected } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';

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

const missing: Judged = {
  id: 'auth/missing-key',
  title: 'Requests without a key return 401 unauthorized',
  clauses: ['5.missing-key', '4.bearer', '5.bearer-header', '5.provider-auth', '4.calls.statuses'],
  scenarios: ['keys/after-valid', 'keys/every-endpoint', 'keys/every-endpoint-extended'],
  *judge(history) {
    for (const exchange of requestsWith(history, 'missing')) {
      // An endpoint that works without the credential, or another kind of rejection.
      const isOpen = exchange.status < 401 || exchange.status === 404;
      yield* unauthorized(exchange, '5.missing-key', isOpen ? '4.bearer' : '5.missing-key');
    }
  },
};

const unknown: Judged = {
  id: 'auth/wrong-key',
  title: 'Requests with an unknown or altered key return 401 unauthorized',
  clauses: ['5.invalid-key', '4.bearer', '5.provider-auth', '7.code.unauthorized', '4.calls.statuses'],
  scenarios: ['keys/after-valid', 'keys/altered'],
  *judge(history) {
    for (const exchange of requestsWith(history, 'unknown')) {
      // A key is opaque, and its digits are hexadecimal: whether their case counts is open (interpretation R61).
      const isOpen = exchange.label === 'key in another letter case' && exchange.status === 200;
      const expected = '401, or 200 if keys are case-insensitive';
      if (!isOpen) yield* unauthorized(exchange, '5.invalid-key');
      else yield { ...about(exchange, '5.invalid-key', '#status'), severity: 'note', expected, actual: '200' };
    }
  },
};

const revoked: Judged = {
  id: 'auth/revoked-key',
  title: 'Requests with a revoked key return 401 unauthorized',
  clauses: ['5.revoked-key', '4.bearer', '5.provider-auth', '4.calls.statuses'],
  scenarios: ['keys/revoked'],
  *judge(history) {
    for (const exchange of requestsWith(history, 'revoked')) yield* unauthorized(exchange, '5.revoked-key');
  },
};

const otherSchemes: Judged = {
  id: 'auth/other-schemes',
  title: 'Other schemes than Bearer return 401 unauthorized',
  clauses: ['5.bearer-header', '5.missing-key', '4.bearer', '5.provider-auth'],
  scenarios: ['keys/other-schemes'],
  *judge(history) {
    for (const exchange of requestsWith(history, 'of another scheme')) {
      const isBare = !/\s/.test(exchange.requestHeaders.authorization ?? '');
      const claim = about(exchange, '5.bearer-header', '#status');
      const words = { expected: '401 for a key without a scheme', actual: nameOfResponse(exchange) };
      // Only Bearer is a scheme of the contract. A server that takes the valid key without a scheme reads it leniently.
      if (isBare && exchange.status === 200) yield { ...claim, ...words, severity: 'warn' };
      else yield* unauthorized(exchange, '5.missing-key', '4.bearer');
    }
  },
};

export const authentication: readonly Judged[] = [missing, unknown, revoked, otherSchemes];
