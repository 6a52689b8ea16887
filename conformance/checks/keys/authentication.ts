// Requests without a valid key: none, a wrong one, a revoked one, one that is nearly right. Most of them have been sent
// by the burst of limits/address-burst already, so these checks read its responses.

import { type OperationId, operations } from '../../../src/contract/generated/operations.ts';
import { count } from '../../../src/terminal/count.ts';
import { invalidRequests, unknownRange } from '../../assertions/address-bursts.ts';
import { hasRoom, hasTime, turnOf } from '../../assertions/invalid-inputs.ts';
import { expectValidKey } from '../../assertions/valid-again.ts';
import {
  type Exchange,
  errorCode,
  isLimiterRejection,
  isPlatformTrouble,
  isUnusable,
  type KeyName,
  nameOfResponse,
  rejectsNamedClient,
} from '../../exchange/exchange.ts';
import { hasUnknownKey, type RequestSpec, type Spoilt, spoiltWays } from '../../exchange/request.ts';
import { about } from '../../judge/claims.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** One endpoint of each envelope family; both without parameters, so only the key can be wrong. */
const familyReads: readonly OperationId[] = ['listSites', 'listAccounts'];
const all = Object.values(operations).map(({ id }) => id);
/** Where a revoked key would do harm. */
const revokedOperations: readonly OperationId[] = ['listSites', 'createPost'];

/** The responses to the burst of invalid keys, and one of each family of endpoints that is not among them. */
async function rejectEverywhere(probe: Probe, key: KeyName): Promise<readonly Exchange[]> {
  const sent = probe.history().filter((exchange) => exchange.key === key && isUnauthorizedShown(exchange));
  const families = new Set(sent.map(({ operation }) => operation && operations[operation].envelope));
  for (const operation of familyReads)
    if (!families.has(operations[operation].envelope)) sent.push(await probe.get(operation, {}, key));
  return sent;
}

/** Whether only the key is wrong with it: right parameters, and a record that the organization has. */
function isElseInOrder(probe: Probe, { operation, target }: Exchange): boolean {
  const isBare = operation === 'listKeywords' && !target.includes('?');
  const isOfRange = target.endsWith(`range=${unknownRange}`);
  return !isBare && !isOfRange && operation !== 'createConnectLink' && !target.includes(probe.facts.unknownId);
}

/** Neither a limiter nor a gateway nor a platform in trouble has responded instead of the service (R2, R57). */
function isUnauthorizedShown(exchange: Exchange): boolean {
  const isOfOther = isUnusable(exchange) || rejectsNamedClient(exchange);
  return !isLimiterRejection(exchange) && !isOfOther && !isPlatformTrouble(exchange);
}

/** `provider_auth` instead would make a client reconnect an account. */
export function expectUnauthorized(probe: Probe, exchange: Exchange): void {
  const usual = { none: '5.missing-key', revoked: '5.revoked-key' } as const;
  const key = exchange.requestHeaders.authorization === 'Bearer' ? 'none' : exchange.key;
  const clause = key === 'none' || key === 'revoked' ? usual[key] : '5.invalid-key';
  probe.expectRejection(exchange, {
    status: 401,
    code: 'unauthorized',
    clause: errorCode(exchange) === 'provider_auth' ? '5.provider-auth' : clause,
    proves: [clause, '4.bearer', '5.provider-auth'],
  });
  // Its row lists no statuses; the 401 is a separate clause.
  if (exchange.operation === 'listCalls') probe.expectStatus(exchange, 401, '4.calls.statuses');
}

const missing: CheckRow = {
  id: 'auth/missing-key',
  title: 'Requests without a key return 401 unauthorized',
  cites: ['5.missing-key', '4.bearer', '5.bearer-header', '5.provider-auth', '4.calls.statuses'],
  cost: { requests: 0, uses: ['responses without a key'] },
  async run(probe) {
    for (const exchange of await rejectEverywhere(probe, 'none')) expectUnauthorized(probe, exchange);
  },
};

const afterValid: CheckRow = {
  id: 'auth/after-valid-key',
  title: 'A request without the valid key returns 401 right after one with it',
  cites: ['5.missing-key', '5.invalid-key', '4.bearer', '5.provider-auth'],
  // At once: a shared cache may keep the response only for some seconds, and a server may know the connection again.
  phase: 'discover',
  cost: { requests: 2, optional: 1, uses: ['sites'] },
  async run(probe) {
    await probe.get('listSites');
    expectUnauthorized(probe, await probe.get('listSites', {}, 'none'));
    if (hasRoom(probe)) expectUnauthorized(probe, await probe.get('listAccounts', {}, 'wrong'));
  },
};

const invalid: CheckRow = {
  id: 'auth/wrong-key',
  title: 'Requests with an unknown key return 401 unauthorized',
  cites: ['5.invalid-key', '5.missing-key', '4.bearer', '5.provider-auth'],
  cost: { requests: 0, uses: ['responses to an unknown key'] },
  async run(probe) {
    const sent = await rejectEverywhere(probe, 'wrong');
    // The others are for auth/before-parameters.
    for (const exchange of sent) if (isElseInOrder(probe, exchange)) expectUnauthorized(probe, exchange);
  },
};

const revoked: CheckRow = {
  id: 'auth/revoked-key',
  title: 'Requests with a revoked key return 401 unauthorized',
  cites: ['5.revoked-key', '4.bearer', '5.provider-auth', '4.calls.statuses'],
  needs: ['revoked-key'],
  mayComeEarlier: true,
  cost: { requests: revokedOperations.length, withTime: { requests: all.length - revokedOperations.length } },
  async run(probe) {
    for (const operation of new Set([...revokedOperations, ...(hasTime(probe) ? all : [])])) {
      expectUnauthorized(probe, await probe.send({ ...harmless(probe, operation), key: 'revoked' }));
    }
  },
};

const wrongParameters: readonly (readonly [OperationId, Readonly<Record<string, string>>])[] = [
  ['listArticles', { limit: 'abc' }],
  ['listCalls', { since: 'yesterday' }],
  ['listKeywords', { siteId: 'no-uuid' }],
  ['getInsights', { range: '14d' }],
];

/** Otherwise a stranger could learn by 400 and 404 which records there are. */
const beforeParameters: CheckRow = {
  id: 'auth/before-parameters',
  title: 'Authentication is checked before parameters',
  cites: ['5.invalid-key', '5.missing-key', '7.code.unauthorized', '4.bearer', '5.provider-auth', '4.calls.statuses'],
  unless: ['auth/wrong-key'],
  cost: {
    requests: 0,
    uses: ['responses to an unknown key and invalid parameters'],
    withTime: { requests: wrongParameters.length },
  },
  async run(probe) {
    const sent = probe.history().filter((exchange) => exchange.key === 'wrong' && isUnauthorizedShown(exchange));
    const burst = sent.filter((exchange) => exchange.burst && !isElseInOrder(probe, exchange));
    const noSite = burst.length > 0 ? null : await probe.get('listKeywords', {}, 'wrong');
    const unknown = burst.length > 0 ? null : await probe.get('getArticle', { id: probe.facts.unknownId }, 'wrong');
    for (const exchange of noSite && unknown ? [noSite, unknown] : burst) expectUnauthorized(probe, exchange);
    for (const [operation, params] of hasTime(probe) ? wrongParameters : [])
      expectUnauthorized(
        probe,
        await probe.get(operation, { ...harmless(probe, operation).params, ...params }, 'none'),
      );
  },
};

/** The valid key under no scheme, or under another one. */
const schemes = ['scheme', 'no-scheme', 'basic'] as const satisfies readonly Spoilt[];
/** Forms of a key that is nearly the good one; the scheme before it stays. */
const otherKeys = spoiltWays.filter((way) => way !== 'other-case' && !schemes.some((scheme) => scheme === way));

/** A request for an existing record says nothing about one for an unknown record. */
function isOfNothing(probe: Probe, { target }: Exchange): boolean {
  return !/[\da-f]-[\da-f]/i.test(target) || target.includes(probe.facts.unknownId);
}

/** Operations that have not rejected such a request yet, those first that have rejected no request. */
function operationsLeft(probe: Probe, key: KeyName, isCounted: (exchange: Exchange) => boolean): OperationId[] {
  const rejected = probe.history().filter(({ status }) => status === 401);
  const ofKey = rejected.filter((exchange) => exchange.key === key && isCounted(exchange));
  const isIn = (exchanges: readonly Exchange[], id: OperationId) => exchanges.some(({ operation }) => operation === id);
  const left = all.filter((id) => !isIn(ofKey, id));
  return left.sort((a, b) => Number(isIn(rejected, a)) - Number(isIn(rejected, b)));
}

/** The burst sends the others, except those that it leaves out or that the limiter blocks. */
const withoutKeyMax = 3;
/** Without a burst, as many more as requests are left. */
const withoutBurst = all.length - familyReads.length - withoutKeyMax;

/** Sends only requests that the burst has not sent: first to endpoints that only this check tests without a key. */
const everywhere: CheckRow = {
  id: 'auth/everywhere',
  title: 'Every endpoint rejects requests without a key',
  cites: ['4.bearer', '5.missing-key', '5.provider-auth', '4.calls.statuses'],
  cost: {
    requests: withoutKeyMax + withoutBurst,
    optional: withoutBurst,
    withTime: { requests: familyReads.length },
  },
  async run(probe) {
    const isEnough = (exchange: Exchange) => !hasTime(probe) || isOfNothing(probe, exchange);
    const withoutKey = operationsLeft(probe, 'none', isEnough).map((operation) => {
      return { ...harmless(probe, operation), key: 'none' as const };
    });
    for (const [sent, spec] of (hasTime(probe) ? withoutKey : leftByBurst(probe, withoutKey)).entries()) {
      if (!hasTime(probe) && sent >= withoutKeyMax && probe.requestsLeft() < 1) break;
      const exchange = await probe.send(spec);
      if (spec.key !== 'none') expectUnauthorized(probe, exchange);
      // The clause that every endpoint needs the credential.
      else expectNoKey(probe, exchange, '4.bearer');
    }
    doubtLeft(probe, 'none');
  },
};

/** A run of one minute sends most endpoints only one of both keys, so it does not pass for every endpoint. */
function doubtLeft(probe: Probe, key: 'none' | 'wrong'): void {
  const left = operationsLeft(probe, key, () => true).length;
  const words = { none: 'without a key', wrong: 'with an altered key' };
  if (left > 0) probe.doubt('budget', `no requests left for ${count(left, 'endpoint')} ${words[key]}`);
}

/** First the requests to operations that have rejected none so far: the burst omits two, and others were blocked. */
function leftByBurst(probe: Probe, withoutKey: readonly RequestSpec[]): readonly RequestSpec[] {
  const rejected = new Set(probe.history().flatMap(({ status, operation }) => (status === 401 ? [operation] : [])));
  const unsent = invalidRequests(probe).filter(({ operation }) => operation && !rejected.has(operation));
  return [...unsent, ...withoutKey.filter(({ operation }) => operation && rejected.has(operation))];
}

/** A gateway that accepts other schemes can accept any credentials. */
const strangerOfAnotherScheme = `Basic ${btoa('casa:conformance')}`;

/** Operations with an altered key, in addition to those of the burst. */
const alteredMin = 7;

const alteredKeys: CheckRow = {
  id: 'auth/altered-keys',
  title: 'Every endpoint rejects unknown and altered keys',
  cites: ['5.invalid-key', '4.bearer', '5.missing-key', '5.bearer-header', '5.provider-auth', '4.calls.statuses'],
  cost: {
    requests: 0,
    withTime: {
      requests: all.length + 4 + otherKeys.length,
      optional: all.length + 4 + otherKeys.length - alteredMin,
    },
  },
  async run(probe) {
    // The burst has sent some of them.
    if (!hasTime(probe)) return doubtLeft(probe, 'wrong');
    const first = turnOf(probe.settings.seed, all.length);
    const rejected = probe.history().filter(({ key, status }) => key === 'wrong' && status === 401);
    const isTried = (spec: RequestSpec) => rejected.some(({ operation }) => operation === spec.operation);
    const seen = invalidRequests(probe).flatMap((spec) => (isTried(spec) ? spec.spoilt : []));
    const unseen = otherKeys.filter((way) => !seen.includes(way));
    // A service that looks up only keys of the right form rejects the others in any case.
    const altered = rejected.find(({ burst, operation }) => burst && operation === 'listArticles')?.requestHeaders;
    const isFormed = (exchange: Exchange) =>
      hasUnknownKey(exchange) || exchange.requestHeaders.authorization === altered?.authorization;
    for (const [sent, operation] of operationsLeft(probe, 'wrong', isFormed).entries()) {
      if (sent >= alteredMin && probe.requestsLeft() < 1) return doubtLeft(probe, 'wrong');
      // A server that looks at a part of the key takes the usual one, and so does a server that takes every key.
      expectUnauthorized(probe, await probe.send({ ...harmless(probe, operation), spoilt: 'digit' }));
    }
    const others: readonly RequestSpec[] = [
      ...['Bearer', strangerOfAnotherScheme].map(
        (authorization) => ({ operation: 'listSites', authorization }) as const,
      ),
      ...unseen.map((spoilt, at) => ({ ...harmless(probe, all[(first + at) % all.length] ?? 'listSites'), spoilt })),
    ];
    for (const spec of others) {
      if (probe.requestsLeft() < 1) return probe.doubt('budget', 'no requests left for other forms of the key');
      const exchange = await probe.send(spec);
      if (spec.authorization === undefined) expectUnauthorized(probe, exchange);
      else expectNoKey(probe, exchange);
    }
    await sendInOtherCase(probe);
    // A valid request on the same connection: a rejection can have a lasting effect.
    await expectValidKey(probe, await probe.send({ operation: 'listSites' }));
  },
};

/** A key is opaque, and its digits are hexadecimal: whether their case counts is open (interpretation R61). */
async function sendInOtherCase(probe: Probe): Promise<void> {
  const exchange = await probe.send({ operation: 'listSites', spoilt: 'other-case' });
  if (exchange.status !== 200) return expectUnauthorized(probe, exchange);
  const expected = '401, or 200 if keys are case-insensitive';
  probe.note({ ...about(exchange, '5.invalid-key', '#status'), expected, actual: '200' });
}

const otherSchemes: CheckRow = {
  id: 'auth/other-schemes',
  title: 'Other schemes than Bearer return 401 unauthorized',
  cites: ['5.bearer-header', '5.missing-key', '4.bearer'],
  needs: ['extended'],
  cost: { requests: schemes.length, least: schemes.length },
  async run(probe) {
    for (const spoilt of schemes) await expectOtherScheme(probe, spoilt);
  },
};

function expectNoKey(probe: Probe, exchange: Exchange, clause: '4.bearer' | '5.missing-key' = '5.missing-key'): void {
  probe.expectRejection(exchange, { status: 401, code: 'unauthorized', clause, proves: [clause, '5.missing-key'] });
}

/** Only Bearer is a scheme of the contract. A server that takes the valid key without a scheme reads it leniently. */
async function expectOtherScheme(probe: Probe, spoilt: (typeof schemes)[number]): Promise<void> {
  const exchange = await probe.send({ operation: 'listSites', spoilt });
  if (exchange.status !== 200 || spoilt !== 'no-scheme') return expectNoKey(probe, exchange, '4.bearer');
  const claim = about(exchange, '5.bearer-header', '#status');
  probe.warn({ ...claim, expected: '401 for a key without a scheme', actual: nameOfResponse(exchange) });
}

/** A request without effect even if it is accepted: its record is unknown, and its body is empty. */
function harmless(probe: Probe, operation: OperationId): RequestSpec {
  const id = probe.facts.unknownId;
  const params = operations[operation].segments.some((segment) => segment === '{id}')
    ? { id }
    : operations[operation].segments.includes('{accountId}')
      ? { accountId: id, reviewId: operations[operation].segments.includes('{reviewId}') ? 'nobody' : undefined }
      : {};
  return { operation, params, ...(operations[operation].method === 'GET' ? {} : { body: {} }) };
}

export const authentication = defineChecks({ phase: 'bursts' }, [
  afterValid,
  missing,
  invalid,
  revoked,
  beforeParameters,
  everywhere,
  // Before the altered keys, which take all requests that are left.
  otherSchemes,
  alteredKeys,
]);
