// Tests the mock with Prism: a validating proxy in front of a mock turns every response that the spec does not allow
// into its own error. It rejects invalid requests itself, so it checks the responses to valid ones only.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goodKey, home, samples, secondKey, secondOrganization, shop } from '../../fixtures/test-kit/actors.ts';
import { startTestEngine } from '../../fixtures/test-kit/engine.ts';
import { freePort, type OwnProcess, startOwn } from '../../fixtures/test-kit/own-process.ts';
import { type ErrorExampleName, errorExamples } from '../../src/contract/generated/errors.ts';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import { listen, type NodeServer } from '../../src/transports/node.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { inputs, requestOf } from './inputs.ts';

// The second organization's site violates the contract, to show that Prism detects it.
const brokenSites = secondOrganization.sites.map((site) => ({ ...site, cms: null }) as never);
const broken = { ...secondOrganization, sites: brokenSites };
const data = { ...defaultWorld, organizations: [home, broken] };
const command = fileURLToPath(new URL('../../node_modules/.bin/prism', import.meta.url));
const unknown = '11111111-1111-4111-8111-111111111111';

type Tried = readonly [method: string, target: string, body?: object];

const reads = [
  ...['/articles', '/articles?limit=1', '/articles?limit=100', `/articles?siteId=${home.sites[0]?.id}`],
  ...[`/articles?limit=5&cursor=${home.articles[20]?.createdAt}`, '/articles?cursor=1999-01-01T00:00:00Z'],
  ...home.articles.slice(0, 12).map(({ id }) => `/articles/${id}`),
  ...[`/articles/${unknown}`, '/sites', `/sites/${home.sites[1]?.id}`, `/sites/${unknown}`],
  ...home.sites.map(({ id }) => `/keywords?siteId=${id}`),
  ...[`/keywords?siteId=${unknown}`, '/connect/accounts', '/connect/calls/log', '/connect/calls/log?limit=200'],
  ...['2000', '2999'].map((year) => `/connect/calls/log?since=${year}-01-01T00:00:00Z&limit=200`),
  ...home.accounts.flatMap(({ accountId }) =>
    ['reviews', 'insights'].map((noun) => `/connect/accounts/${accountId}/${noun}`),
  ),
  ...['nonsense', `after.${shop.reviews[9]?.reviewId}`].map(
    (cursor) => `/connect/accounts/${shop.accountId}/reviews?cursor=${cursor}`,
  ),
];

/** Prism requires the copies of path values in a body. */
const writes: Tried[] = [
  ...home.accounts.map(({ accountId }) => {
    return ['POST', `/connect/accounts/${accountId}/posts`, { accountId, text: 'x' }] as const;
  }),
  ...inputs
    .filter(({ issues, name }) => issues.length === 0 && name !== 'a field that is not listed')
    .filter(({ subject }) => /^(createConnectLink|createPost|replyToReview)$/.test(subject))
    .map((input): Tried => ['POST', requestOf(input).target, input.values as object]),
];
const requests: Tried[] = [...reads.map((target): Tried => ['GET', target]), ...writes];

/** Errors on demand, where the spec lists their status for the operation. */
const demands = (Object.keys(operations) as OperationId[]).flatMap((id) =>
  (Object.keys(errorExamples) as ErrorExampleName[])
    .filter((name) => operations[id].statuses.includes(errorExamples[name].status))
    .filter((name) => operations[id].envelope === 'tool' || !/^(not_supported|provider_auth|rate_limited)$/.test(name))
    .map((name) => [id, name] as const),
);

describe.each([undefined, 1, 2])('Prism, in front of the mock with the grease %s', (grease) => {
  let server: NodeServer;
  let prism: OwnProcess;
  let url = '';

  beforeAll(async () => {
    const limit = 100_000;
    const limits = { ...contractLimits, key: { limit, windowMs: 60_000 }, address: { limit, windowMs: 10_000 } };
    server = await listen(startTestEngine({ data, limits, grease }).engine, { host: '127.0.0.1', port: 0 });
    const port = await freePort();
    const args = ['proxy', 'spec/openapi.yaml', server.baseUrl, '--errors', '-h', '127.0.0.1', '-p', String(port)];
    prism = await startOwn({ command, args, port });
    url = `http://127.0.0.1:${port}`;
  }, 60_000);
  afterAll(async () => {
    await prism?.stop();
    await server?.close();
  });

  const ask = async (method: string, target: string, body?: object, key = goodKey) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(url + target, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
  };

  it('finds a fault where there is one', async () => {
    const apiResponse = await ask('GET', '/sites', undefined, secondKey);
    expect([apiResponse.status, apiResponse.type]).toEqual([500, 'application/problem+json']);
    expect(apiResponse.text).toMatch(/cms/);
  });

  it.for(requests)('finds none in the response to %s %s', async ([method, target, body]) => {
    const apiResponse = await ask(method, target, body);
    expect(apiResponse.type, apiResponse.text).toMatch(/^application\/json/);
    expect(apiResponse.status).not.toBe(500);
  });

  it.each(demands)('finds no error if %s gets %s', async (id, name) => {
    const { method, target, body } = samples[id];
    const separator = target.includes('?') ? '&' : '?';
    const [, accountId, , reviewId] = /accounts\/([^/]+)(\/reviews\/([^/]+))?/.exec(target) ?? [];
    const copies = method === 'POST' ? { ...body, accountId, reviewId } : undefined;
    const apiResponse = await ask(method, `${target}${separator}__example=${name}`, copies);
    expect(apiResponse.type, apiResponse.text).toMatch(/^application\/json/);
    expect(apiResponse.status).toBe(errorExamples[name].status);
  });
});
