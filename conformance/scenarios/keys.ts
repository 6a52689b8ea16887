// Requests without a valid key: none, an unknown one, a revoked one, one that is nearly right. The burst of the address
// limiter sends most of them, so these scenarios send what the history lacks.
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { hasUnknownKey, type RequestSpec } from '../exchange/request.ts';
import { type Scenario, scenario, send, sendAll } from './scenario.ts';

const all = Object.values(operations).map(({ id }) => id);

/** A request without effect even if it is accepted: its record is unknown, and its body is empty. */
function harmless(operation: OperationId, { given }: History): RequestSpec & { readonly operation: OperationId } {
  const { segments, method } = operations[operation];
  const names = segments.flatMap((segment) => /^\{(.+)\}$/.exec(segment)?.[1] ?? []);
  const params = Object.fromEntries(names.map((name) => [name, name === 'reviewId' ? 'nobody' : given.unknownId]));
  return { operation, params, ...(method === 'GET' ? {} : { body: {} }) };
}

/** Operations that have not rejected such a request yet, those first that have rejected no request. */
function operationsLeft({ exchanges }: History, isCounted: (exchange: Exchange) => boolean): OperationId[] {
  const rejected = exchanges.filter(({ status, mcpEndpoint }) => status === 401 && mcpEndpoint === undefined);
  const isIn = (some: readonly Exchange[], id: OperationId) => some.some(({ operation }) => operation === id);
  const left = all.filter((id) => !isIn(rejected.filter(isCounted), id));
  return left.sort((one, other) => Number(isIn(rejected, one)) - Number(isIn(rejected, other)));
}

/** One endpoint of each envelope family; both without parameters, so only the key can be wrong. */
const familyReads = ['listSites', 'listAccounts'] as const satisfies readonly OperationId[];

const afterValid = scenario('keys/after-valid', { least: 3, most: 5 }, function* ({ history }) {
  // At once: a shared cache may keep the response only for some seconds, and a server may know the connection again.
  yield* send({ operation: 'listSites' });
  yield* send({ operation: 'listSites', key: 'none' });
  yield* send({ operation: 'listAccounts', key: 'wrong' });
  for (const key of ['none', 'wrong'] as const) {
    const sent = history().exchanges.filter((one) => one.key === key && one.operation !== null);
    const families = new Set(sent.map(({ operation }) => operations[operation as OperationId].envelope));
    const left = familyReads.filter((operation) => !families.has(operations[operation].envelope));
    yield* sendAll(left.map((operation) => ({ operation, key })));
  }
});

const withoutKeyMax = 3;

const everyEndpoint = scenario('keys/every-endpoint', { most: withoutKeyMax }, function* ({ history }) {
  const left = operationsLeft(history(), ({ key }) => key === 'none').slice(0, withoutKeyMax);
  yield* sendAll(left.map((operation) => ({ ...harmless(operation, history()), key: 'none' as const })));
});

/** A stranger could learn by 400 and 404 which records there are. */
const wrongParameters = {
  listArticles: { limit: 'abc' },
  listCalls: { since: 'yesterday' },
  listKeywords: { siteId: 'no-uuid' },
  getInsights: { range: '14d' },
} as const satisfies Partial<Record<OperationId, RequestSpec['params']>>;

const withoutKeyAnywhereRow = {
  least: Object.keys(wrongParameters).length,
  most: all.length + Object.keys(wrongParameters).length,
} as const;
const withoutKeyAnywhere = scenario('keys/every-endpoint-extended', withoutKeyAnywhereRow, function* ({ history }) {
  // A request for an existing record says nothing about one for an unknown record.
  const isOfNothing = ({ target }: Exchange) =>
    !/[\da-f]-[\da-f]/i.test(target) || target.includes(history().given.unknownId);
  const left = operationsLeft(history(), (one) => one.key === 'none' && isOfNothing(one));
  const usual = left.map((operation) => harmless(operation, history()));
  const wrong = Object.entries(wrongParameters).map(([operation, wrongs]) => {
    const spec = harmless(operation as OperationId, history());
    return { ...spec, params: { ...spec.params, ...wrongs } };
  });
  yield* sendAll([...usual, ...wrong].map((spec) => ({ ...spec, key: 'none' as const })));
});

/** Forms of a key that is nearly the valid one. A server that looks at a part of it takes the usual form, `digit`. */
const otherForms = ['short', 'long', 'no-prefix', 'other-prefix'] as const;

/** A scheme alone; and a scheme that a gateway can accept with any credentials. */
const otherCredentials = ['Bearer', `Basic ${btoa('casa:conformance')}`] as const;

const alteredRow = { least: 8, most: all.length + otherForms.length + otherCredentials.length + 2 } as const;
const altered = scenario('keys/altered', alteredRow, function* ({ history }) {
  const left = operationsLeft(history(), (one) => one.key === 'wrong' && hasUnknownKey(one));
  yield* sendAll([
    ...left.map((operation) => ({ ...harmless(operation, history()), spoilt: 'digit' as const })),
    ...otherCredentials.map((authorization) => ({ operation: 'listSites' as const, authorization })),
    ...otherForms.map((spoilt, at) => ({ ...harmless(all[at] ?? 'listSites', history()), spoilt })),
    { operation: 'listSites', spoilt: 'other-case', label: 'key in another letter case' },
    // A valid request on the same connection: a rejection can have a lasting effect.
    { operation: 'listSites' },
  ]);
});

/** The valid key under no scheme, or under another one. */
const schemes = ['scheme', 'no-scheme', 'basic'] as const;

const otherSchemes = scenario('keys/other-schemes', { least: schemes.length, most: schemes.length }, function* () {
  yield* sendAll(schemes.map((spoilt) => ({ operation: 'listSites', spoilt })));
});

const revokedRow = { needs: ['revoked-key'], least: all.length, most: all.length } as const;
const revoked = scenario('keys/revoked', revokedRow, function* ({ history }) {
  // First where a revoked key would do harm.
  const ordered = new Set<OperationId>(['listSites', 'createPost', ...all]);
  yield* sendAll([...ordered].map((operation) => ({ ...harmless(operation, history()), key: 'revoked' as const })));
});

export const keyScenarios: readonly Scenario[] = [
  ...[afterValid, everyEndpoint, withoutKeyAnywhere, altered, otherSchemes, revoked],
];
