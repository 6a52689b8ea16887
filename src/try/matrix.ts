// The matrix: everything legal that the service may do to a client. Faults are here, formats and pages in
// matrix-formats.ts, the call log and restarts in matrix-calls.ts.
import type { FaultRule } from '../domain/faults.ts';
import type { Engine } from '../engine/engine.ts';
import { type Cell, cellsOf, type Row, type Target } from './cell.ts';
import { callRows, pagedLists, restartRows, shortPages } from './matrix-calls.ts';
import {
  accountOperations,
  formatRows,
  onOrganizations,
  pageRows,
  platformOperations,
  withOrnateTexts,
  wordsOfKeys,
} from './matrix-formats.ts';

const targets = ['read', 'poll', 'write'] as const;
const nouns = { read: 'each read', poll: 'a poll of the call log', write: 'each write' } as const;
/** A poll that has a call to deliver. */
const skipOf = { read: 0, poll: 1, write: 0 } as const;
const often = { once: 1, twice: 2, always: undefined } as const;
const waits = [0, 1, 59, 61, 600] as const;
/** With so short a wait a client has no reason to give up a read. */
const shortWaitS = 1;

const limits = {
  limiter_key: 'of the API key',
  limiter_address: 'of the IP address',
  rate_limited: 'of the platform',
} as const;

type Limit = readonly [name: string | number, told: string, clauses: Row[2], setUp: Partial<Cell>];

// biome-ignore format: one row a line
function limitsOf(error: keyof typeof limits, target: Target): readonly (Limit | false)[] {
  const told = (retryAfterS: number | null, resetS?: number) =>
    ({ error, skip: skipOf[target], times: 1, retryAfterS, ...(resetS !== undefined && { resetS }) });
  const [isKey, isWrite, ofReset] = [error === 'limiter_key', target === 'write', ['7.retry.reset', '8.retry-after'] as const];
  return [
    ...waits.map((s): Limit => [s, `Retry-After: ${s}`, ['7.retry.retry-after', '7.envelope.two-429'],
      { fault: told(s), extraMs: s * 1_500, succeeds: s <= shortWaitS && !isWrite }]),
    ['reset', 'X-RateLimit-Reset in 3 s, no Retry-After', ofReset, { fault: told(null, 3) }],
    isKey && ['past', 'X-RateLimit-Reset of 1 s ago, no Retry-After', ofReset, { fault: told(null, -1) }],
    isKey && target === 'read' && ['longer', 'Retry-After: 61, X-RateLimit-Reset in 3 s', ['7.retry.retry-after'],
      { fault: told(61, 3), extraMs: 61_000, succeeds: false }],
    error === 'rate_limited' && ['none', 'without a wait time', ['7.retry.back-off', '7.code.rate-limited'],
      { fault: { error, skip: skipOf[target], times: 1 }, behavior: { rateHeaders: 'blocked' } }],
  ];
}

const limitRows = (Object.keys(limits) as (keyof typeof limits)[]).flatMap((error) =>
  targets.flatMap((target) =>
    limitsOf(error, target).flatMap((limit): Row[] => {
      if (!limit) return [];
      const [name, told, clauses, setUp] = limit;
      const title = `returns a 429 ${limits[error]} (${told}) once for ${nouns[target]}`;
      const stated = error === 'rate_limited' && { stated: platformOperations };
      const more = { succeeds: target !== 'write', ...stated, ...setUp };
      return [[`limits/${target}-${error}-${name}`, title, clauses, target, more]];
    }),
  ),
);

const failures = { 500: 'internal_error', 502: 'provider_error', 503: 'transient' } as const;
const errorRows = ([500, 502, 503] as const).flatMap((status) =>
  targets.flatMap((target) =>
    (['once', 'twice', 'always'] as const).map((times): Row => {
      const title = `returns a ${status} ${times === 'always' ? 'every time' : times} for ${nouns[target]}`;
      const code = status === 502 ? '7.code.provider-error' : '7.code.transient';
      const setUp: Partial<Cell> = {
        // No clause has a 500.
        stated: status === 500 ? [] : platformOperations,
        succeeds: status !== 500 && times !== 'always' && target !== 'write',
        fault: { error: failures[status], times: often[times], skip: skipOf[target] },
      };
      return [`errors/${target}-${status}-${times}`, title, ['7.retry.back-off', code], target, setUp];
    }),
  ),
);

const gateways = [
  ['gateway', 'returns a 502 in HTML, as a gateway does, once for', 'gateway_error', targets],
  ['empty', 'returns a 200 without a body once for', 'empty_success', ['read', 'poll']],
  ['login', 'redirects to a login page in HTML once for', 'login_redirect', ['read', 'poll']],
] as const;
/** Every response is JSON by the contract, so a client that fails gets advice. */
const gatewayRows = gateways.flatMap(([name, title, error, where]) =>
  where.map((target): Row => {
    const fault = { error, times: 1, skip: skipOf[target] };
    const clauses = ['7.retry.back-off', '7.code.provider-error'] as const;
    return [`errors/${target}-${name}`, `${title} ${nouns[target]}`, clauses, target, { stated: [], fault }];
  }),
);

type Fault = Omit<FaultRule, 'id' | 'match'>;
const ofPlatforms = { stated: platformOperations };

// biome-ignore format: one row a line
const secondPageRows: readonly Row[] = [
  ['errors/page-503-once', 'returns a 503 once for the second page of a list', ['7.retry.back-off', '7.code.transient'], pagedLists,
    { ...ofPlatforms, behavior: shortPages, fault: { error: 'transient', skip: 1, times: 1 }, succeeds: true }],
  ['errors/page-503-always', 'returns a 503 for each page of a list except the first', ['7.retry.back-off', '7.code.transient'], pagedLists,
    { ...ofPlatforms, behavior: shortPages, fault: { error: 'transient', skip: 1 } }],
  ['connections/page-after', 'closes the connection once, without a response, for the second page of a list', ['7.retry.back-off'], pagedLists,
    { behavior: shortPages, fault: { network: 'empty', skip: 1, times: 1 } }],
];

const losses = [
  ['before', 'the request is carried out', { error: 'internal_error', network: 'reset' }],
  ['during', 'the response is complete', { network: 'truncated' }],
  ['after', 'the response begins, but after the request was carried out', { network: 'empty' }],
  ['reset', 'the response begins, with a reset after the request was carried out', { network: 'reset' }],
] as const;
const connectionRows = targets.flatMap((target) =>
  losses.map(([when, title, effect]): Row => {
    const fault = { ...effect, times: 1, skip: skipOf[target] };
    const whole = `closes the connection of ${nouns[target]} once before ${title}`;
    return [`connections/${target}-${when}`, whole, ['7.retry.back-off'], target, { fault }];
  }),
);

const delays = [
  ['headers', 'after 20 s', { latencyMs: 20_000 }],
  ['long', 'after 100 s', { latencyMs: 100_000 }],
  ['body', 'with a slow body', { network: 'slow' }],
  ['stalled', 'with a body that takes an hour', { network: 'slow' }],
  // The fifth poll of a client that polls each minute: it has nothing to deliver, and a call ends meanwhile.
  ['quiet', 'after 100 s, when nothing is new', { latencyMs: 100_000, skip: 4 }],
] as const;
const slowRows = targets.flatMap((target) =>
  delays.slice(0, target === 'poll' ? 5 : 4).map(([how, title, effect]): Row => {
    const time = how === 'stalled' ? { extraMs: 600_000, slowBodyMs: 3_600_000 } : { extraMs: 120_000 };
    const clause = target === 'poll' ? '4.calls.exactly-once' : '7.retry.back-off';
    const fault = { skip: skipOf[target], ...effect, times: 1 };
    return [
      `slow/${target}-${how}`,
      `responds to ${nouns[target]} ${title}, once`,
      [clause],
      target,
      { fault, ...time },
    ];
  }),
);

const found = [...accountOperations, 'getArticle', 'getSite', 'listKeywords'] as const;
const accessed = ['read', 'write'] as const;
const refusals = [
  ['400', 'not_supported', '7.code.not-supported', accessed, accountOperations],
  ['401', 'unauthorized', '7.code.unauthorized', targets, undefined],
  ['provider_auth', 'provider_auth', '7.code.provider-auth', accessed, accountOperations],
  ['402', 'payment_method_required', '7.code.payment-required', ['write'], undefined],
  ['403', 'provider_permission', '7.code.provider-permission', accessed, accountOperations],
  ['404', 'not_found', '7.code.not-found', accessed, found],
] as const;
const refusalRows = refusals.flatMap(([name, error, clause, where, operations]) =>
  where.map((target): Row => {
    const who = target === 'poll' ? 'the third poll of the call log' : nouns[target];
    const setUp = { fault: { error, times: 3, skip: target === 'poll' ? 2 : 0 }, ...(operations && { operations }) };
    const clauses = ['7.retry.never-unchanged', clause] as const;
    return [`refusals/${target}-${name}`, `rejects ${who} three times with ${error}`, clauses, target, setUp];
  }),
);

// biome-ignore format: one row a line
const later: readonly (readonly [name: Row[0], what: string, clauses: Row[2], fault: Fault, stated?: Cell['stated']])[] = [
  ['limits/later-limiter_key', 'limiter_key', ['7.retry.retry-after', '7.envelope.two-429'], { error: 'limiter_key', retryAfterS: 1 }],
  ['limits/later-rate_limited', 'rate_limited', ['7.retry.retry-after', '7.code.rate-limited'], { error: 'rate_limited', retryAfterS: 1 }, platformOperations],
  ['errors/later-503', '503', ['7.retry.back-off', '7.code.transient'], { error: 'transient' }, platformOperations],
  ['errors/later-500', '500', ['7.retry.back-off'], { error: 'internal_error' }, []],
  ['connections/later-empty', 'a closed connection', ['7.retry.back-off'], { network: 'empty' }],
];
/** Disturbs only what follows the first read, which most clients handle apart. */
const laterRows = later.flatMap(([name, what, clauses, fault, stated]) =>
  (['once', 'always'] as const).map((times): Row => {
    const setUp = { isLater: true, fault: { ...fault, times: often[times] }, ...(stated && { stated }) } as const;
    return [`${name}-${times}`, `${times} responds with ${what} to reads after the first`, clauses, 'read', setUp];
  }),
);

/** More sites and accounts than requests that an address has in ten seconds. */
const withMore = onOrganizations(({ sites, accounts }, nth) => {
  const [[site], [account]] = [sites, accounts];
  const numbers = site && nth === 0 ? Array.from({ length: 12 }, (_, i) => i + 10) : [];
  // Writes for two sites must not look like a repetition.
  const own = (i: number) => ({ name: `${site?.name} ${i}`, domain: `n${i}.${site?.domain}` });
  const shop = (i: number) => ({ label: `Shop ${i}`, name: `Shop ${i}`, reviews: [] });
  const idOf = (start: string, i: number) => `${start}c1d5e30-4b1f-4c58-9d8e-2f6a90b3c7${i}`;
  return {
    sites: [...sites, ...numbers.flatMap((i) => (site ? { ...site, ...own(i), id: idOf('7', i) } : []))],
    accounts: [
      ...accounts,
      ...numbers.flatMap((i) => (account ? { ...account, ...shop(i), accountId: idOf('8', i) } : [])),
    ],
  };
});

/** Work for several workers, which goes on while one of them waits. */
const ongoing = { world: withMore, behavior: { latency: { p50: 2_000, p90: 2_000, p99: 2_000 } }, extraMs: 120_000 };
const oneAccount = { ...ongoing, about: 'one-account' } as const;

const states = ['pending', 'expired', 'revoked', 'pending_api_access'] as const;
const withStates = onOrganizations(({ accounts }, nth) => {
  const [account] = nth === 0 ? accounts : [];
  const idOf = (i: number) => `${account?.accountId.slice(0, -2)}e${i}`;
  return {
    accounts: [
      ...accounts,
      ...states.flatMap((status, i) => (account ? { ...account, status, accountId: idOf(i) } : [])),
    ],
  };
});

// biome-ignore format: one row a line
const rows: readonly Row[] = [
  ...limitRows,
  // The sixth, for clients that read some lists one after the other first.
  ...Object.entries({ second: 1, sixth: 5 }).map(([nth, skip]): Row => [`limits/many-${nth}-limiter_key-61`,
    `returns a 429 of the API key (Retry-After: 61) for the ${nth} request, and takes 2 s for each response`,
    ['7.retry.retry-after', '7.envelope.two-429'], undefined,
    { isShared: true, fault: { error: 'limiter_key', retryAfterS: 61, skip, times: 1 }, ...ongoing }]),
  ...errorRows,
  ...gatewayRows,
  ...secondPageRows,
  ...connectionRows,
  // For clients that retry forever.
  ['connections/read-always', 'closes the connection of each read before the response begins', ['7.retry.back-off'], 'read',
    { fault: { network: 'empty' } }],
  ...slowRows,
  // For clients that decode each part of a body by itself.
  ['slow/texts', 'sends texts with emoji in a slow body, once', ['4.json'], 'read',
    { extraMs: 120_000, world: withOrnateTexts, fault: { network: 'slow', times: 1 } }],
  ...refusalRows,
  // One account needs the attention of its owner, and the others work.
  ['refusals/one-account-provider_permission', 'rejects the first request for an account with provider_permission', ['5.provider-auth'],
    accountOperations, { fault: { error: 'provider_permission', times: 1 }, ...oneAccount }],
  ['refusals/one-account-provider_auth', 'rejects the first request for an account with provider_auth', ['5.provider-auth'],
    accountOperations, { fault: { error: 'provider_auth', times: 1 }, ...oneAccount }],
  ['refusals/one-account-other-words', 'rejects the first request for an account with provider_auth and a message about keys',
    ['5.provider-auth', '7.envelope.branch-on-code'], accountOperations,
    { fault: { error: 'provider_auth', times: 1 }, ...oneAccount, wrap: wordsOfKeys }],
  ['refusals/account-states', 'lists an account of each status too', ['2.list-accounts-output.accounts.status'], ['listAccounts'],
    { about: 'states', world: withStates, succeeds: false }],
  ...laterRows,
  ...formatRows,
  ...pageRows,
  ...callRows,
  ['load/slow', 'takes 2 s for each read', ['8.address-window'], 'read', { extraMs: 300_000, fault: { latencyMs: 2_000 }, world: withMore }],
  ['load/many', 'has 14 sites and 14 accounts, and responds without a delay', ['8.address-window'], undefined,
    { extraMs: 300_000, world: withMore }],
  // One request after the other stays below the limits.
  ['load/limits', 'enforces the rate limits of the contract, and takes 1.1 s for each request', ['8.address-window', '8.key-window'],
    undefined, { succeeds: true, limits: true, extraMs: 600_000, fault: { latencyMs: 1_100 }, world: withMore }],
  ['load/other-client', 'enforces the rate limits while another client uses the same key', ['8.key-window', '8.key-window-shared'],
    undefined, { succeeds: false, limits: true, extraMs: 600_000, before: useKey }],
  // For clients that read several accounts at once.
  ['load/uneven', 'responds for the first account 8 s later than for the others', ['4.connect.insights.endpoint'],
    ['getInsights', 'listReviews'], { succeeds: true, about: 'accounts', fault: { latencyMs: 8_000 }, isOfFirstAccount: true }],
  ...restartRows,
];

/** 55 requests of another client from several addresses, so 5 are left for the next minute. */
function useKey(engine: Engine, key: string): void {
  const headers = { authorization: `Bearer ${key}` };
  const request = { method: 'GET', path: '/api/v1/sites', query: '', headers, body: null, origin: 'http://other' };
  for (let i = 0; i < 55; i += 1) engine.handle({ ...request, peer: `192.0.2.${i}` });
}

/** All cells but the control, in the order of the report. */
export const matrix: readonly Cell[] = cellsOf(rows);
