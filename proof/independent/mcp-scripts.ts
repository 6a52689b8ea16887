import type { Drive } from './transcript.ts';

/** What is asked of the MCP door, so that a mutant of it shows. */

const UNKNOWN = '0b0e7a5e-1c2d-4e3f-8a9b-0c1d2e3f4a5b';
const CAP = 1_048_576;

async function rpc(drive: Drive, method: string, params: unknown, key?: string | null): Promise<void> {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  await drive.send('/mcp', { body, ...(key === undefined ? {} : { key }) });
}

function contacts(count: number): { phone: string }[] {
  return Array.from({ length: count }, (_, at) => ({ phone: String(at) }));
}

function csvOf(count: number): string {
  return ['phone', ...contacts(count).map(({ phone }) => phone)].join('\n');
}

export async function mcp(drive: Drive): Promise<void> {
  const call = (name: string, input: unknown) => rpc(drive, 'tools/call', { name, arguments: input });
  await rpc(drive, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  });
  await rpc(drive, 'tools/list', {});
  for (const key of [null, 'ind_0123456789abcdef0123456789abcdef']) await rpc(drive, 'ping', {}, key);
  for (const max of [0, 1, 10, 100, 101]) await call('customers_list', { max });
  for (const limit of [undefined, 1, 200, 201]) await call('calls_log', { limit });
  for (const since of ['2020-01-01T00:00:00Z', '2100-01-01T00:00:00Z']) await call('calls_log', { since, limit: 1 });
  await call('inbox_list', {});
  await call('list_reviews', { accountId: UNKNOWN });
  for (const length of [5000, 5001]) await call('publish_post', { accountId: UNKNOWN, text: 'é'.repeat(length) });
  for (const length of [4096, 4097]) {
    await call('reply_to_review', { accountId: UNKNOWN, reviewId: 'x', text: 'é'.repeat(length) });
  }
  for (const count of [5000, 5001]) await call('dialer_import_contacts', { rows: contacts(count) });
  for (const count of [20_000, 20_001]) await call('dialer_import_contacts', { csv: csvOf(count) });
  for (const bytes of [CAP, CAP + 1]) await drive.send('/mcp', { bytes: new Uint8Array(bytes).fill(32) });
}

/** Until the door is shut, and what is left of the key's window then. */
export async function mcpBurst(drive: Drive): Promise<void> {
  await drive.send('/sites');
  for (let at = 0; at < 11; at += 1) await rpc(drive, 'ping', {});
  drive.advance(11_000);
  await drive.send('/sites');
}
