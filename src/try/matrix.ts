// The matrix: everything legal that the service may do to a client. Faults are here, formats and pages in
// matrix-formats.ts.

import type { WorldData } from '../domain/world-data.ts';
import type { Engine } from '../engine/engine.ts';
import type { Cell } from './cell.ts';
import { callCells } from './matrix-calls.ts';
import {
  accountOperations,
  formatCells,
  pageCells,
  platformOperations,
  withOrnateTexts,
  wordsOfKeys,
} from './matrix-formats.ts';
import { pagedLists, restartCells, shortPages } from './matrix-restart.ts';

const targets = ['read', 'poll', 'write'] as const;
const nouns = { read: 'each read', poll: 'a poll of the call log', write: 'each write' } as const;
/** A poll that has a call to deliver. */
const skipOf = { read: 0, poll: 1, write: 0 } as const;
const waits = [0, 1, 59, 61, 600] as const;
/** With so short a wait a client has no reason to give up a read. */
const shortWaitS = 1;

const limitCells = (['limiter_key', 'limiter_address', 'rate_limited'] as const).flatMap((error) =>
  targets.flatMap((target): Cell[] => {
    const base = {
      dimension: 'limits',
      target,
      ...(error === 'rate_limited' && { stated: platformOperations }),
    } as const;
    const fault = { error, skip: skipOf[target], times: 1 };
    const who =
      error === 'rate_limited' ? 'of the platform' : error === 'limiter_key' ? 'of the API key' : 'of the IP address';
    const told = waits.map(
      (s): Cell => ({
        ...{ ...base, id: `limits/${target}-${error}-${s}`, extraMs: s * 1_500 },
        title: `returns a 429 ${who} (Retry-After: ${s}) once for ${nouns[target]}`,
        clauses: ['7.retry.retry-after', '7.envelope.two-429'],
        succeeds: s <= shortWaitS && target !== 'write',
        fault: { ...fault, retryAfterS: s },
      }),
    );
    const reset: Cell = {
      ...{ ...base, id: `limits/${target}-${error}-reset` },
      title: `returns a 429 ${who} (X-RateLimit-Reset in 3 s, no Retry-After) once for ${nouns[target]}`,
      clauses: ['7.retry.reset', '8.retry-after'],
      succeeds: target !== 'write',
      fault: { ...fault, retryAfterS: null, resetS: 3 },
    };
    const silent: Cell = {
      ...{ ...base, id: `limits/${target}-${error}-none`, fault, behavior: { rateHeaders: 'blocked' } },
      title: `returns a 429 ${who} (without a wait time) once for ${nouns[target]}`,
      clauses: ['7.retry.back-off', '7.code.rate-limited'],
      succeeds: target !== 'write',
    };
    const past: Cell = {
      ...{ ...base, id: `limits/${target}-${error}-past` },
      title: `returns a 429 ${who} (X-RateLimit-Reset of 1 s ago, no Retry-After) once for ${nouns[target]}`,
      clauses: ['7.retry.reset', '8.retry-after'],
      succeeds: target !== 'write',
      fault: { ...fault, retryAfterS: null, resetS: -1 },
    };
    const longer: Cell = {
      ...{ ...base, id: `limits/${target}-${error}-longer`, extraMs: 61_000 },
      title: `returns a 429 ${who} (Retry-After: 61, X-RateLimit-Reset in 3 s) once for ${nouns[target]}`,
      clauses: ['7.retry.retry-after'],
      succeeds: false,
      fault: { ...fault, retryAfterS: 61, resetS: 3 },
    };
    const [pasts, both] = error === 'limiter_key' ? [[past], target === 'read' ? [longer] : []] : [[], []];
    return [...told, reset, ...pasts, ...both, ...(error === 'rate_limited' ? [silent] : [])];
  }),
);

const failures = { 500: 'internal_error', 502: 'provider_error', 503: 'transient' } as const;
const often = { once: 1, twice: 2, always: undefined } as const;
const errorCells = ([500, 502, 503] as const).flatMap((status) =>
  targets.flatMap((target) =>
    (['once', 'twice', 'always'] as const).map(
      (times): Cell => ({
        ...{ id: `errors/${target}-${status}-${times}`, dimension: 'errors', target },
        title: `returns a ${status} ${times === 'always' ? 'every time' : times} for ${nouns[target]}`,
        clauses: ['7.retry.back-off', status === 502 ? '7.code.provider-error' : '7.code.transient'],
        // No clause has a 500.
        stated: status === 500 ? [] : platformOperations,
        succeeds: status !== 500 && times !== 'always' && target !== 'write',
        fault: { error: failures[status], times: often[times], skip: skipOf[target] },
      }),
    ),
  ),
);

// biome-ignore format: one row a line
const pageRows = [
  ['errors', '503-once', 'returns a 503 once for the second page of a list', { error: 'transient', skip: 1, times: 1 }],
  ['errors', '503-always', 'returns a 503 for each page of a list except the first', { error: 'transient', skip: 1 }],
  ['connections', 'after', 'closes the connection once, without a response, for the second page of a list', { network: 'empty', skip: 1, times: 1 }],
] as const;
/** A disturbance of the second page of a list. */
const pageFaults = pageRows.map(
  ([dimension, name, title, fault]): Cell => ({
    ...{ id: `${dimension}/page-${name}`, dimension, title, operations: pagedLists, behavior: shortPages, fault },
    clauses: dimension === 'errors' ? ['7.retry.back-off', '7.code.transient'] : ['7.retry.back-off'],
    succeeds: name === '503-once',
    ...(dimension === 'errors' && { stated: platformOperations }),
  }),
);

const losses = [
  ['before', 'the request is carried out', { error: 'internal_error', network: 'reset' }],
  ['during', 'the response is complete', { network: 'truncated' }],
  ['after', 'the response begins, but after the request was carried out', { network: 'empty' }],
  ['reset', 'the response begins, with a reset after the request was carried out', { network: 'reset' }],
] as const;
const connectionCells = targets.flatMap((target) =>
  losses.map(
    ([when, title, effect]): Cell => ({
      ...{ id: `connections/${target}-${when}`, dimension: 'connections', target, succeeds: false },
      title: `closes the connection of ${nouns[target]} once before ${title}`,
      clauses: ['7.retry.back-off'],
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

const delays = [
  ['headers', 'after 20 s', { latencyMs: 20_000 }],
  ['long', 'after 100 s', { latencyMs: 100_000 }],
  ['body', 'with a slow body', { network: 'slow' }],
  ['stalled', 'with a body that takes an hour', { network: 'slow' }],
] as const;
/** The fifth poll of a client that polls each minute: it has nothing to deliver, and a call ends meanwhile. */
const quiet = ['quiet', 'after 100 s, when nothing is new', { latencyMs: 100_000, skip: 4 }] as const;
const slowCells = targets.flatMap((target) =>
  (target === 'poll' ? [...delays, quiet] : delays).map(
    ([how, title, effect]): Cell => ({
      ...{ id: `slow/${target}-${how}`, dimension: 'slow', target, succeeds: false },
      title: `responds to ${nouns[target]} ${title}, once`,
      clauses: [target === 'poll' ? '4.calls.exactly-once' : '7.retry.back-off'],
      fault: { skip: skipOf[target], ...effect, times: 1 },
      extraMs: how === 'stalled' ? 600_000 : 120_000,
      ...(how === 'stalled' && { slowBodyMs: 3_600_000 }),
    }),
  ),
);

const refusals = [
  ['400', 'not_supported', '7.code.not-supported', ['read', 'write'], accountOperations],
  ['401', 'unauthorized', '7.code.unauthorized', targets, undefined],
  ['provider_auth', 'provider_auth', '7.code.provider-auth', ['read', 'write'], accountOperations],
  ['402', 'payment_method_required', '7.code.payment-required', ['write'], undefined],
  ['403', 'provider_permission', '7.code.provider-permission', ['read', 'write'], accountOperations],
  [
    '404',
    'not_found',
    '7.code.not-found',
    ['read', 'write'],
    [...accountOperations, 'getArticle', 'getSite', 'listKeywords'],
  ],
] as const;
const refusalCells = refusals.flatMap(([name, error, clause, where, operations]) =>
  where.map(
    (target): Cell => ({
      ...{ id: `refusals/${target}-${name}`, dimension: 'refusals', target, succeeds: false },
      title: `rejects ${target === 'poll' ? 'the third poll of the call log' : nouns[target]} three times with ${error}`,
      clauses: ['7.retry.never-unchanged', clause],
      fault: { error, times: 3, skip: target === 'poll' ? 2 : 0 },
      ...(operations && { operations }),
    }),
  ),
);

// biome-ignore format: one row a line
const laterRows = [
  ['limits', 'limiter_key', { error: 'limiter_key', retryAfterS: 1 }, ['7.retry.retry-after', '7.envelope.two-429'], undefined],
  ['limits', 'rate_limited', { error: 'rate_limited', retryAfterS: 1 }, ['7.retry.retry-after', '7.code.rate-limited'], platformOperations],
  ['errors', '503', { error: 'transient' }, ['7.retry.back-off', '7.code.transient'], platformOperations],
  ['errors', '500', { error: 'internal_error' }, ['7.retry.back-off'], []],
  ['connections', 'empty', { network: 'empty' }, ['7.retry.back-off'], undefined],
] as const;
/** Disturbs only what follows the first read, which most clients handle apart. */
const laterCells = laterRows.flatMap(([dimension, name, effect, clauses, stated]) =>
  (['once', 'always'] as const).map(
    (times): Cell => ({
      ...{
        id: `${dimension}/later-${name}-${times}`,
        dimension,
        clauses,
        target: 'read',
        isLater: true,
        succeeds: false,
      },
      title: `${times} responds with ${name === 'empty' ? 'a closed connection' : name} to reads after the first`,
      fault: { ...effect, times: often[times] },
      ...(stated && { stated }),
    }),
  ),
);

/** More sites and accounts than requests that an address has in ten seconds. */
const withMore = (world: WorldData): WorldData => {
  const [organization, ...others] = world.organizations;
  const [[site], [account]] = [organization?.sites ?? [], organization?.accounts ?? []];
  if (!organization || !site) return world;
  const [sites, accounts] = [organization.sites.slice(), organization.accounts.slice()];
  for (let i = 10; i < 22; i += 1) {
    // Writes for two sites must not look like a repetition.
    const own = { name: `${site.name} ${i}`, domain: `n${i}.${site.domain}` };
    sites.push({ ...site, ...own, id: `7c1d5e30-4b1f-4c58-9d8e-2f6a90b3c7${i}` });
    const accountId = `8c1d5e30-4b1f-4c58-9d8e-2f6a90b3c7${i}`;
    if (account) accounts.push({ ...account, accountId, label: `Shop ${i}`, name: `Shop ${i}`, reviews: [] });
  }
  return { ...world, organizations: [{ ...organization, sites, accounts }, ...others] };
};

/** Work for several workers, which goes on while one of them waits. */
const ongoing = { world: withMore, behavior: { latency: { p50: 2_000, p90: 2_000, p99: 2_000 } }, extraMs: 120_000 };

/** The sixth, for clients that read some lists one after the other first. */
const sharedCells = Object.entries({ second: 1, sixth: 5 }).map(
  ([nth, skip]): Cell => ({
    ...{ id: `limits/many-${nth}-limiter_key-61`, dimension: 'limits', succeeds: false, isShared: true },
    title: `returns a 429 of the API key (Retry-After: 61) for the ${nth} request, and takes 2 s for each response`,
    clauses: ['7.retry.retry-after', '7.envelope.two-429'],
    fault: { error: 'limiter_key', retryAfterS: 61, skip, times: 1 },
    ...ongoing,
  }),
);

/** One account needs the attention of its owner, and the others work. */
const oneAccountCells = (
  [
    ['provider_permission', 'provider_permission', undefined],
    ['provider_auth', 'provider_auth', undefined],
    ['other-words', 'provider_auth', wordsOfKeys],
  ] as const
).map(
  ([id, error, wrap]): Cell => ({
    ...{ id: `refusals/one-account-${id}`, dimension: 'refusals', operations: accountOperations, succeeds: false },
    title: `rejects the first request for an account with ${error}${wrap ? ' and a message about keys' : ''}`,
    clauses: ['5.provider-auth', ...(wrap ? (['7.envelope.branch-on-code'] as const) : [])],
    fault: { error, times: 1 },
    ...{ ...ongoing, about: 'one-account' },
    ...(wrap && { wrap }),
  }),
);

const loadCells: readonly Cell[] = [
  {
    ...{ id: 'load/slow', dimension: 'load', succeeds: false, target: 'read', extraMs: 300_000 },
    title: 'takes 2 s for each read',
    ...{ clauses: ['8.address-window'], fault: { latencyMs: 2_000 }, world: withMore },
  },
  {
    ...{ id: 'load/many', dimension: 'load', succeeds: true, extraMs: 300_000 },
    title: 'has 14 sites and 14 accounts, and responds without a delay',
    ...{ clauses: ['8.address-window'], world: withMore },
  },
  {
    // One request after the other stays below the limits.
    ...{ id: 'load/limits', dimension: 'load', succeeds: true, limits: true, extraMs: 600_000 },
    title: 'enforces the rate limits of the contract, and takes 1.1 s for each request',
    ...{ clauses: ['8.address-window', '8.key-window'], fault: { latencyMs: 1_100 }, world: withMore },
  },
  {
    ...{ id: 'load/other-client', dimension: 'load', succeeds: false, limits: true, extraMs: 600_000 },
    title: 'enforces the rate limits while another client uses the same key',
    ...{ clauses: ['8.key-window', '8.key-window-shared'], before: useKey },
  },
];

const states = ['pending', 'expired', 'revoked', 'pending_api_access'] as const;
const otherStates: Cell = {
  ...{ id: 'refusals/account-states', dimension: 'refusals', operations: ['listAccounts'], succeeds: false },
  title: 'lists an account of each status too',
  about: 'states',
  clauses: ['2.list-accounts-output.accounts.status'],
  world: withStates,
};

function withStates(world: WorldData): WorldData {
  const [first, ...others] = world.organizations;
  const [account] = first?.accounts ?? [];
  if (!first || !account) return world;
  const more = states.map((status, i) => ({ ...account, status, accountId: `${account.accountId.slice(0, -2)}e${i}` }));
  return { ...world, organizations: [{ ...first, accounts: [...first.accounts, ...more] }, ...others] };
}

/** For clients that read several accounts at once. */
const uneven: Cell = {
  ...{ id: 'load/uneven', dimension: 'load', operations: ['getInsights', 'listReviews'], succeeds: true },
  title: 'responds for the first account 8 s later than for the others',
  about: 'accounts',
  clauses: ['4.connect.insights.endpoint'],
  fault: { latencyMs: 8_000 },
  isOfFirstAccount: true,
};

/** For clients that decode each part of a body by itself. */
const slowTexts: Cell = {
  ...{ id: 'slow/texts', dimension: 'slow', target: 'read', succeeds: false, extraMs: 120_000 },
  title: 'sends texts with emoji in a slow body, once',
  ...{ clauses: ['4.json'], world: withOrnateTexts, fault: { network: 'slow', times: 1 } },
};

/** 55 requests of another client from several addresses, so 5 are left for the next minute. */
function useKey(engine: Engine, key: string): void {
  const headers = { authorization: `Bearer ${key}` };
  const request = { method: 'GET', path: '/api/v1/sites', query: '', headers, body: null, origin: 'http://other' };
  for (let i = 0; i < 55; i += 1) engine.handle({ ...request, peer: `192.0.2.${i}` });
}

/** All cells but the control, in the order of the report. */
export const matrix: readonly Cell[] = [
  ...limitCells,
  ...sharedCells,
  ...errorCells,
  ...pageFaults,
  ...connectionCells,
  closedAlways,
  ...slowCells,
  slowTexts,
  ...refusalCells,
  ...oneAccountCells,
  otherStates,
  ...laterCells,
  ...formatCells,
  ...pageCells,
  ...callCells,
  ...loadCells,
  uneven,
  ...restartCells,
];
