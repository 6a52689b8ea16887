import { expect, it } from 'vitest';
import { defaultWorld } from '../../src/worlds/load.ts';
import { home } from '../test-kit/actors.ts';
import { goodKey, startTestEngine, toRequest } from '../test-kit/engine.ts';
import { mcpHeaders, toolCall } from './transports.ts';

const broken = {
  ...home,
  sites: home.sites.map((site) => ({ ...site, cms: 7 }) as never),
  customers: [{ ...home.customers?.[0], name: 7 } as never],
};
const data = { ...defaultWorld, organizations: [broken] };

it.each([
  ['listSites', '/data/0/cms', toRequest('GET /sites', '/api/v1', { key: goodKey })],
  [
    'customers_list',
    '/data/customers/0/name',
    toRequest('POST /mcp', '', { key: goodKey, headers: mcpHeaders, body: toolCall('customers_list') }),
  ],
])('a response of %s with a wrong %s is a bug that only a strict mock shows', async (name, path, request) => {
  const ask = async (strict: boolean) => {
    const { engine } = startTestEngine({ data, strict });
    return request.path === '/mcp' ? engine.handleMcp(request) : engine.handle(request);
  };
  await expect(ask(true)).rejects.toThrow(`${name} returned 200 against the contract: ${path} must be string`);
  expect((await ask(false)).status).toBe(200);
});
