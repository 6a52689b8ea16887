// The matrix: everything legal that the service may do to a client. Faults are here, formats and pages in
// matrix-formats.ts.

import type { WorldData } from '../domain/world-data.ts';
import type { Engine } from '../engine/engine.ts';
import { type Cell, pastCalls } from './cell.ts';
import { callCells, formatCells, pageCells } from './matrix-formats.ts';

const targets = ['read', 'poll', 'write'] as const;
const nouns = { read: 'each read', poll: 'a poll of the call log', write: 'each write' } as const;
/** A poll that has a call to deliver. */
const skipOf = { read: 0, poll: 1, write: 0 } as const;
const waits = [0, 1, 59, 61, 600] as const;
/** With so short a wait a client has no reason to give up a read. */
const shortWaitS = 1;

const limitCells = (['limiter_key', 'limiter_address', 'rate_limited'] as const).flatMap((error) =>
  targets.flatMap((target): Cell[] => {
    const base = { dimension: 'limits', target } as const;
    const fault = { error, skip: skipOf[target], times: 1 };
    const who =
      error === 'rate_limited' ? 'of the platform' : error === 'limiter_key' ? 'of the key' : 'of the address';
    const told = waits.map(
      (s): Cell => ({
        ...base,
        id: `limits/${target}-${error}-${s}`,
        title: `responds to ${nouns[target]} once with a 429 ${who} and Retry-After: ${s}`,
        clauses: ['7.retry.retry-after', '7.envelope.two-429'],
        succeeds: s <= shortWaitS && target !== 'write',
        fault: { ...fault, retryAfterS: s },
        extraMs: s * 1_500,
      }),
    );
    const reset: Cell = {
      ...base,
      id: `limits/${target}-${error}-reset`,
      title: `responds to ${nouns[target]} once with a 429 ${who} and X-RateLimit-Reset in 3 s, without Retry-After`,
      clauses: ['7.retry.reset', '8.retry-after'],
      succeeds: target !== 'write',
      fault: { ...fault, retryAfterS: null, resetS: 3 },
    };
    const silent: Cell = {
      ...base,
      id: `limits/${target}-${error}-none`,
      title: `responds to ${nouns[target]} once with a 429 ${who} without a wait time`,
      clauses: ['7.retry.back-off', '7.code.rate-limited'],
      succeeds: target !== 'write',
      fault,
      behavior: { rateHeaders: 'blocked' },
    };
    return [...told, reset, ...(error === 'rate_limited' ? [silent] : [])];
  }),
);

const pagedLists = ['listArticles', 'listReviews'] as const;
/** So clients that ask for large pages read several too. */
const shortPages = { articlePageCap: 5, reviewPageSize: 5 };

const errorCells = (
  [
    ['internal_error', 500],
    ['provider_error', 502],
    ['transient', 503],
  ] as const
).flatMap(([error, status]) =>
  targets.flatMap((target) =>
    (
      [
        ['once', 1],
        ['twice', 2],
        ['always', undefined],
      ] as const
    ).map(
      ([often, times]): Cell => ({
        id: `errors/${target}-${status}-${often}`,
        dimension: 'errors',
        title: `responds to ${nouns[target]} ${often} with a ${status}`,
        clauses: ['7.retry.back-off', status === 502 ? '7.code.provider-error' : '7.code.transient'],
        succeeds: status !== 500 && times !== undefined && target !== 'write',
        target,
        fault: { error, times, skip: skipOf[target] },
      }),
    ),
  ),
);

/** A disturbance of the second page of a list. */
const pageFaults: readonly Cell[] = [
  {
    ...{
      id: 'errors/page-503-once',
      dimension: 'errors',
      clauses: ['7.retry.back-off', '7.code.transient'],
      succeeds: true,
    },
    ...{ title: 'responds to the second page of a list once with a 503', operations: pagedLists },
    ...{ behavior: shortPages, fault: { error: 'transient', skip: 1, times: 1 } },
  },
  {
    ...{
      id: 'errors/page-503-always',
      dimension: 'errors',
      clauses: ['7.retry.back-off', '7.code.transient'],
      succeeds: false,
    },
    ...{ title: 'responds to each page of a list but the first with a 503', operations: pagedLists },
    ...{ behavior: shortPages, fault: { error: 'transient', skip: 1 } },
  },
  {
    ...{ id: 'connections/page-after', dimension: 'connections', clauses: ['7.retry.back-off'], succeeds: false },
    ...{ title: 'closes the connection of the second page of a list once without a response', operations: pagedLists },
    ...{ behavior: shortPages, fault: { network: 'empty', skip: 1, times: 1 } },
  },
];

const connectionCells = targets.flatMap((target) =>
  (
    [
      ['before', 'the request is carried out', { error: 'internal_error', network: 'reset' }],
      ['during', 'the response is complete', { network: 'truncated' }],
      ['after', 'the response begins, but after the request was carried out', { network: 'empty' }],
      ['reset', 'the response begins, with a reset after the request was carried out', { network: 'reset' }],
    ] as const
  ).map(
    ([when, title, effect]): Cell => ({
      id: `connections/${target}-${when}`,
      dimension: 'connections',
      title: `closes the connection of ${nouns[target]} once before ${title}`,
      clauses: ['7.retry.back-off'],
      succeeds: false,
      target,
      fault: { ...effect, times: 1, skip: skipOf[target] },
    }),
  ),
);

/** For clients that retry forever. */
const closedAlways: Cell = {
  ...{ id: 'connections/read-always', dimension: 'connections', clauses: ['7.retry.back-off'], succeeds: false },
  ...{ title: 'closes the connection of each read before the response begins', target: 'read' },
  fault: { network: 'empty' },
};

const slowCells = targets.flatMap((target) =>
  (
    [
      ['headers', 'after 20 s', { latencyMs: 20_000 }],
      ['long', 'after 100 s', { latencyMs: 100_000 }],
      ['body', 'with a slow body', { network: 'slow' }],
      ['stalled', 'with a body that takes an hour', { network: 'slow' }],
      // The fifth poll of a client that polls each minute: it has nothing to deliver, and a call ends meanwhile.
      ...(target === 'poll'
        ? ([['quiet', 'after 100 s, when nothing is new', { latencyMs: 100_000, skip: 4 }]] as const)
        : []),
    ] as const
  ).map(
    ([how, title, effect]): Cell => ({
      id: `slow/${target}-${how}`,
      dimension: 'slow',
      title: `responds to ${nouns[target]} ${title}, once`,
      clauses: [target === 'poll' ? '4.calls.exactly-once' : '7.retry.back-off'],
      succeeds: false,
      target,
      fault: { skip: skipOf[target], ...effect, times: 1 },
      extraMs: how === 'stalled' ? 600_000 : 120_000,
      ...(how === 'stalled' && { slowBodyMs: 3_600_000 }),
    }),
  ),
);

const accountOperations = ['listReviews', 'getInsights', 'createPost', 'replyToReview'] as const;
const refusals = [
  ['400', 'invalid_input', '7.code.invalid-input', targets, undefined],
  ['401', 'unauthorized', '7.code.unauthorized', targets, undefined],
  ['provider_auth', 'provider_auth', '7.code.provider-auth', ['read', 'write'], accountOperations],
  ['402', 'payment_method_required', '7.code.payment-required', ['write'], undefined],
  ['403', 'provider_permission', '7.code.provider-permission', ['read', 'write'], accountOperations],
  ['404', 'not_found', '7.code.not-found', ['read', 'write'], undefined],
] as const;
const refusalCells = refusals.flatMap(([name, error, clause, where, operations]) =>
  where.map(
    (target): Cell => ({
      id: `refusals/${target}-${name}`,
      dimension: 'refusals',
      title: `rejects ${nouns[target]} ${target === 'poll' ? 'in the middle ' : ''}three times with ${error}`,
      clauses: ['7.retry.never-unchanged', clause],
      succeeds: false,
      target,
      fault: { error, times: 3, skip: target === 'poll' ? 2 : 0 },
      ...(operations && { operations }),
    }),
  ),
);

/** Disturbs only what follows the first read, which most clients handle apart. */
const deepCells = (
  [
    ['limits', 'limiter_key', { error: 'limiter_key', retryAfterS: 1 }, ['7.retry.retry-after', '7.envelope.two-429']],
    [
      'limits',
      'rate_limited',
      { error: 'rate_limited', retryAfterS: 1 },
      ['7.retry.retry-after', '7.code.rate-limited'],
    ],
    ['errors', '503', { error: 'transient' }, ['7.retry.back-off', '7.code.transient']],
    ['errors', '500', { error: 'internal_error' }, ['7.retry.back-off']],
    ['connections', 'empty', { network: 'empty' }, ['7.retry.back-off']],
  ] as const
).flatMap(([dimension, name, effect, clauses]) =>
  ([1, undefined] as const).map(
    (times): Cell => ({
      id: `${dimension}/later-${name}-${times === undefined ? 'always' : 'once'}`,
      ...{ dimension, clauses, target: 'read', isLater: true, succeeds: false },
      title: `responds to reads after the first ${times === undefined ? 'always' : 'once'} with ${name === 'empty' ? 'a closed connection' : name}`,
      fault: { ...effect, times },
    }),
  ),
);

/** One account needs the attention of its owner, and the others work. */
const oneAccountCells = (['provider_permission', 'provider_auth'] as const).map(
  (error): Cell => ({
    ...{ id: `refusals/one-account-${error}`, dimension: 'refusals', operations: accountOperations, succeeds: false },
    title: `rejects the first request for an account with ${error}`,
    clauses: ['5.provider-auth'],
    fault: { error, times: 1 },
  }),
);

/** More sites than requests that an address has in ten seconds. */
const manySites = (world: WorldData): WorldData => {
  const [organization, ...others] = world.organizations;
  const [site] = organization?.sites ?? [];
  if (!organization || !site) return world;
  const more = Array.from({ length: 12 }, (_, i) => ({ ...site, id: `7c1d5e30-4b1f-4c58-9d8e-2f6a90b3c7${10 + i}` }));
  return { ...world, organizations: [{ ...organization, sites: [...organization.sites, ...more] }, ...others] };
};

const loadCells: readonly Cell[] = [
  {
    ...{ id: 'load/slow', dimension: 'load', succeeds: false, target: 'read', extraMs: 300_000 },
    title: 'takes 2 s for each read',
    clauses: ['8.address-window'],
    fault: { latencyMs: 2_000 },
    world: manySites,
  },
  {
    // One request after the other stays below the limits.
    ...{ id: 'load/limits', dimension: 'load', succeeds: true, limits: true, extraMs: 600_000 },
    title: 'enforces the rate limits of the contract, and takes 1.1 s for each request',
    clauses: ['8.address-window', '8.key-window'],
    fault: { latencyMs: 1_100 },
    world: manySites,
  },
  {
    ...{ id: 'load/other-client', dimension: 'load', succeeds: false, limits: true, extraMs: 600_000 },
    title: 'enforces the rate limits while another client uses the same key',
    clauses: ['8.key-window', '8.key-window-shared'],
    before: useKey,
  },
];

/** For clients that store their position or their writes in files. */
const restartCells: readonly Cell[] = [
  {
    ...{ id: 'restart/poll', dimension: 'restart', operations: ['listCalls'], succeeds: true, extraMs: 120_000 },
    title: 'has two new calls while the client is stopped, before the client got the first',
    clauses: ['6.store-cursor'],
    past: pastCalls.map(() => ({ visibleS: 100_000 })),
    restart: { afterS: 20, downS: 80 },
  },
  {
    ...{ id: 'restart/write-503', dimension: 'restart', target: 'write', succeeds: false, extraMs: 240_000 },
    title: 'responds to each write but the first with a 503 until the client is started again',
    clauses: ['7.code.transient'],
    fault: { error: 'transient', skip: 1 },
    restart: { afterS: 200, downS: 1 },
  },
];

/** 55 requests of another client from several addresses, so 5 are left for the next minute. */
function useKey(engine: Engine, key: string): void {
  const headers = { authorization: `Bearer ${key}` };
  const request = { method: 'GET', path: '/api/v1/sites', query: '', headers, body: null, origin: 'http://other' };
  for (let i = 0; i < 55; i += 1) engine.handle({ ...request, peer: `192.0.2.${i}` });
}

/** All cells but the control, in the order of the report. */
export const matrix: readonly Cell[] = [
  ...limitCells,
  ...errorCells,
  ...pageFaults,
  ...connectionCells,
  closedAlways,
  ...slowCells,
  ...refusalCells,
  ...oneAccountCells,
  ...deepCells,
  ...formatCells,
  ...pageCells,
  ...callCells,
  ...loadCells,
  ...restartCells,
];
