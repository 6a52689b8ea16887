// Client libraries with their defaults, as calls by operation. Everything else of the application is the same for all.
import { AsyncLocalStorage } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '../../src/api/index.ts';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Scenario } from '../../src/try/index.ts';
import { installOnce } from '../outside/runtimes/projects.ts';
import { type Connection, type Json, sleep } from './parts.ts';

interface Given {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
}
type Call = (operation: OperationId, given?: Given) => Promise<Json>;
type Connect = (connection: Connection) => Call | Promise<Call>;

/** Pinned, because the page names them. */
export const packages = [
  ...['openapi-fetch@0.17.0', '@hey-api/openapi-ts@0.95.0', 'orval@7.13.2', '@tanstack/query-core@5.108.0'],
  ...['swr@2.5.1', 'react@19.3.1', 'react-test-renderer@19.3.1', 'axios@1.21.1', 'ky@1.14.3', 'typescript@5.9.3'],
];

/** Reads lists, writes twice, and polls. Each error ends it. */
const application =
  (connect: Connect): Scenario =>
  async (connection) => {
    const { saw, signal } = connection;
    const call = await connect(connection);
    saw(...(await call('listSites')).data.map(({ id }: Json) => ({ id })));
    for (let query: Given['query'] | null = { limit: 5 }; query !== null; ) {
      const page: Json = await call('listArticles', { query });
      saw(...page.data.map(({ id }: Json) => ({ id })));
      query = page.cursor === null ? null : { limit: 5, cursor: page.cursor };
    }
    const [{ accountId }] = (await call('listAccounts')).data.accounts;
    const path = { accountId };
    const reviews: Json[] = [];
    for (let query: Given['query'] | null = {}; query !== null; ) {
      const { data }: Json = await call('listReviews', { path, query });
      reviews.push(...data.reviews);
      query = typeof data.nextCursor === 'string' ? { cursor: data.nextCursor } : null;
    }
    saw(...reviews.map(({ reviewId }) => ({ reviewId })));
    await call('createPost', { path, body: { text: 'Open today' } });
    const { reviewId } = reviews[0];
    await call('replyToReview', { path: { accountId, reviewId }, body: { text: 'Thank you' } });
    for (let since = new Date().toISOString(); !signal.aborted; ) {
      const { data } = await call('listCalls', { query: { since, limit: 200 } });
      saw(...data.calls.map(({ id }: Json) => ({ call: id })));
      since = data.nextCursor ?? since;
      if (data.calls.length < 200) await sleep(60_000);
    }
  };

function pathOf(id: OperationId, { path = {} }: Given): string {
  return operations[id].path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ''));
}
const urlOf = (id: OperationId, given: Given) =>
  `${pathOf(id, given)}?${new URLSearchParams(given.query as Record<string, string>)}`;
const headersOf = ({ apiKey }: Connection) => ({ authorization: `Bearer ${apiKey}` });
const isRead = (id: OperationId) => operations[id].method === 'GET';

const plain: Connect =
  (connection) =>
  async (id, given = {}) => {
    const headers = { ...headersOf(connection), 'content-type': 'application/json' };
    const init = { method: operations[id].method, headers, ...(given.body && { body: JSON.stringify(given.body) }) };
    const response = await fetch(connection.baseUrl + urlOf(id, given), init);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.json();
  };

const ours: Connect = ({ baseUrl, apiKey }) => {
  const api = createClient({ baseUrl, key: apiKey }) as unknown as Record<string, (given: object) => Promise<Json>>;
  return (id, { path, query, body } = {}) =>
    (api[id] as NonNullable<(typeof api)[string]>)({ ...path, ...query, ...body });
};

const throwing = ({ data, error, response }: Json): Json => {
  if (error !== undefined || !response?.ok) throw new Error(`status ${response?.status}`);
  return data;
};

/** Installs the packages in `folder`, generates the clients, and returns an application for each library. */
export function prepareLibraries(folder: string): Record<string, Scenario> {
  installOnce(folder, packages);
  copyFileSync('dist/openapi.json', join(folder, 'openapi.json'));
  writeFileSync(
    join(folder, 'send.ts'),
    'export const send: any = (...given: any[]) => (globalThis as any).sendOfOrval(...given);',
  );
  const mutator = { path: './send.ts', name: 'send' };
  const output = { target: './orval/casa.ts', client: 'fetch', override: { mutator } };
  const config = { casa: { input: './openapi.json', output } };
  writeFileSync(join(folder, 'orval.config.cjs'), `module.exports = ${JSON.stringify(config)}`);
  const run = (...words: string[]) => execFileSync('npx', ['--no-install', ...words], { cwd: folder, stdio: 'pipe' });
  run('openapi-ts', '-i', 'openapi.json', '-o', 'hey', '-c', '@hey-api/client-fetch');
  run('orval', '--config', 'orval.config.cjs');
  const { resolve } = createRequire(join(folder, 'package.json'));
  const load = (name: string): Promise<Json> => import(pathToFileURL(resolve(name)).href);
  const connects: Record<string, Connect> = {
    'casa-kit/api': ours,
    fetch: plain,
    'openapi-fetch': async (connection) => {
      const { default: create } = await load('openapi-fetch');
      const client = (create.default ?? create)({ baseUrl: connection.baseUrl, headers: headersOf(connection) });
      return async (id, { path, query, body } = {}) =>
        throwing(await client[operations[id].method](operations[id].path, { params: { path, query }, body }));
    },
    'hey-api': async (connection) => {
      const { createClient: create, createConfig } = await load('./hey/client');
      const sdk = await load('./hey/sdk.gen.ts');
      const client = create(createConfig({ baseUrl: connection.baseUrl, headers: headersOf(connection) }));
      return async (id, given = {}) => throwing(await sdk[id]({ client, ...given }));
    },
    orval: orvalIn(load),
    axios: async (connection) => {
      const { default: axios } = await load('axios');
      const client = axios.create({ baseURL: connection.baseUrl, headers: headersOf(connection) });
      return async (id, given = {}) =>
        (
          await client.request({
            method: operations[id].method,
            url: pathOf(id, given),
            params: given.query,
            data: given.body,
          })
        ).data;
    },
    ky: async (connection) => {
      const { default: ky } = await load('ky');
      const client = ky.create({ prefixUrl: connection.baseUrl, headers: headersOf(connection) });
      return (id, given = {}) =>
        client(urlOf(id, given).slice(1), {
          method: operations[id].method,
          ...(given.body && { json: given.body }),
        }).json();
    },
    'TanStack Query': async (connection) => {
      const { QueryClient } = await load('@tanstack/query-core');
      const [client, send] = [new QueryClient(), await plain(connection)];
      // The default of `useQuery` in a browser, and of `useMutation`.
      return (id, given) =>
        isRead(id)
          ? client.fetchQuery({ queryKey: [id, given], queryFn: () => send(id, given), retry: 3, staleTime: 0 })
          : client
              .getMutationCache()
              .build(client, { mutationFn: () => send(id, given) })
              .execute(undefined);
    },
    SWR: swrIn(load),
  };
  return Object.fromEntries(Object.entries(connects).map(([name, connect]) => [name, application(connect)]));
}

type Load = (name: string) => Promise<Json>;

/** Generated functions send through a function of the project. */
const orvalIn =
  (load: Load): Connect =>
  async (connection) => {
    const sdk = await load('./orval/casa.ts');
    // The cells share the module, so the connection is found through its context.
    (globalThis as Json).sendOfOrval ??= async (url: string, init: RequestInit) => {
      const found = connections.getStore() as Connection;
      const headers = { ...(init.headers as object), ...headersOf(found) };
      const response = await fetch(found.baseUrl + url, { ...init, headers });
      return throwing({ data: await response.json(), response });
    };
    return (id, { path = {}, query, body } = {}) =>
      connections.run(connection, () => sdk[id](...[...Object.values(path), query, body].filter((part) => part)));
  };
const connections = new AsyncLocalStorage<Connection>();

/** Each read is a component with the hook. */
const swrIn =
  (load: Load): Connect =>
  async (connection) => {
    const [{ default: react }, swr, renderer] = [
      await load('react'),
      await load('swr'),
      await load('react-test-renderer'),
    ];
    const useSWR = swr.default.default ?? swr.default;
    const send = await plain(connection);
    return (id, given) =>
      isRead(id)
        ? new Promise((resolve) => {
            const Reader = () => {
              const { data } = useSWR(JSON.stringify([id, given]), () => send(id, given), { revalidateIfStale: false });
              react.useEffect(() => void (data && resolve(data)), [data]);
              return null;
            };
            const value = { provider: () => new Map() };
            renderer.default.create(react.createElement(swr.SWRConfig, { value }, react.createElement(Reader)));
          })
        : send(id, given);
  };
