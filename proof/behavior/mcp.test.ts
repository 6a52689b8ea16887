import { expect } from 'vitest';
import { home, secondOrganization, shop } from '../../fixtures/test-kit/actors.ts';
import { tools } from '../../src/contract/generated/tools.ts';
import { describeTransports, eras, readResponse } from './transports.ts';

const review = shop.reviews[0]?.reviewId ?? '';

describeTransports('the MCP endpoint', ({ it }) => {
  it.for(eras)('speaks with the official client in the era %j', async (era, { connect }) => {
    const client = await connect({ era });
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(tools));
    const response = readResponse(await client.callTool({ name: 'calls_log', arguments: { limit: 2 } }));
    expect(response.isError).toBe(false);
    expect(response.body.data.calls).toHaveLength(2);
    expect(JSON.parse(response.text)).toEqual(response.body);
  });

  it('says the same as REST, tool by tool', async ({ call, casa }) => {
    const headers = { authorization: `Bearer ${casa.keys.good}` };
    const path = `/connect/accounts/${shop.accountId}`;
    const pairs = [
      ['list_accounts', {}, '/connect/accounts'],
      ['list_reviews', { accountId: shop.accountId }, `${path}/reviews`],
      ['get_insights', { accountId: shop.accountId, range: '7d' }, `${path}/insights?range=7d`],
      ['get_insights', { accountId: shop.accountId }, `${path}/insights`],
      ['calls_log', {}, '/connect/calls/log'],
      [
        'calls_log',
        { since: '2026-01-10T00:00:00Z', limit: 3 },
        '/connect/calls/log?since=2026-01-10T00:00:00Z&limit=3',
      ],
    ] as const;
    for (const [tool, values, target] of pairs) {
      const rest = await casa.fetch(target, { headers });
      expect((await call(tool, values)).body).toEqual(await rest.json());
    }
  });

  it('writes what REST then reads', async ({ call, casa }) => {
    const headers = { authorization: `Bearer ${casa.keys.good}` };
    const posted = await call('create_post', { accountId: shop.accountId, text: 'Fresh rye.' });
    expect(Object.keys(posted.body.data).sort()).toEqual(['permalink', 'postId']);
    const replied = await call('reply_review', { accountId: shop.accountId, reviewId: review, text: 'Thank you.' });
    expect(replied.body.data).toEqual({ repliedAt: new Date(casa.clock.now()).toISOString() });
    const reviews = await (await casa.fetch(`/connect/accounts/${shop.accountId}/reviews`, { headers })).json();
    expect(reviews.data.reviews.find(({ reviewId }: { reviewId: string }) => reviewId === review).replyText).toBe(
      'Thank you.',
    );
    const link = await call('connect_account', { provider: 'tiktok', label: 'Clips' });
    expect(link.body.data.connectUrl).toContain(`${casa.origin}/connect/`);
    const accounts = await (await casa.fetch('/connect/accounts', { headers })).json();
    expect(accounts.data.pendingInvites).toContainEqual(
      expect.objectContaining({ label: 'Clips', provider: 'tiktok', maxAccounts: 1 }),
    );
  });

  it('lists the inbox in pages, each message once, and ends in null', async ({ call }) => {
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 10; page += 1) {
      const { data } = (await call('inbox_list', cursor === undefined ? {} : { cursor })).body;
      seen.push(...data.messages.map(({ messageId }: { messageId: string }) => messageId));
      if (data.nextCursor === null) break;
      cursor = data.nextCursor;
    }
    expect(seen).toEqual(home.inbox?.map(({ messageId }) => messageId));
  });

  it('lists customers with a nextCursor that no input takes', async ({ call, connect }) => {
    const some = (await call('customers_list', { max: 5 })).body.data;
    expect([some.customers.length, typeof some.nextCursor]).toEqual([5, 'string']);
    const all = (await call('customers_list', { max: 100 })).body.data;
    expect([all.customers.length, all.nextCursor]).toEqual([home.customers?.length, null]);
    const { tools: listed } = await (await connect()).listTools();
    const schema = listed.find(({ name }) => name === 'customers_list')?.inputSchema;
    expect(Object.keys(schema?.properties ?? {})).toEqual(['max']);
  });

  it('keeps organizations apart', async ({ connect, casa }) => {
    const client = await connect({ key: casa.keys.second });
    const ask = async (name: string, values = {}) => readResponse(await client.callTool({ name, arguments: values }));
    expect((await ask('list_reviews', { accountId: shop.accountId })).code).toBe('not_found');
    expect((await ask('inbox_list')).body.data.messages).toEqual(secondOrganization.inbox);
    expect((await ask('customers_list')).body.data.customers).toEqual(secondOrganization.customers);
  });

  it('rejects a tool that it does not have as a mistake of the protocol', async ({ connect }) => {
    const client = await connect();
    await expect(client.callTool({ name: 'nonsense', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });
});
