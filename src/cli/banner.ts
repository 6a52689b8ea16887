// What `casa mock` prints: where it is and how to use it, then one line a request.
import type { JournalEntry } from '../control/journal.ts';
import type { World } from '../domain/world.ts';

export interface BannerOptions {
  readonly baseUrl: string;
  readonly world: World;
  readonly worldName: string;
  readonly relaxed: boolean;
}

export function banner({ baseUrl, world, worldName, relaxed }: BannerOptions): string {
  const lines = [
    '',
    'casa mock',
    '',
    `  Base URL  ${baseUrl}`,
    `  World     ${worldName}`,
    `  Profile   ${profile(relaxed)}`,
    '',
    '  Keys',
  ];
  for (const { id, name, keys } of world.organizations.values()) {
    for (const { key, label, revoked } of keys)
      lines.push(`    ${key}  ${name}: ${label}${revoked ? ' (revoked: 401)' : ''}`);
    if (keys.length === 0) lines.push(`    (none)  ${name} ${id}`);
  }
  const first = [...world.keys].find(([, entry]) => !entry.revoked)?.[0];
  lines.push(
    '',
    '  Try',
    `    curl -H "Authorization: Bearer ${first ?? '<key>'}" "${baseUrl}/articles?limit=3"`,
    '',
    '',
  );
  return lines.join('\n');
}

function profile(relaxed: boolean): string {
  return relaxed ? 'relaxed: no rate limits' : 'contract: 10 requests in 10 s an address, 60 a minute a key';
}

export function requestLine({ request, response, trace }: JournalEntry): string {
  const time = new Date(trace.nowMs).toISOString().slice(11, 19);
  const query = request.query === '' ? '' : `?${request.query}`;
  const key = trace.key === null ? 'no key' : `…${trace.key.slice(-4)}`;
  const block = trace.blockedBy ? `  blocked: ${blockReasons[trace.blockedBy]}` : '';
  return `${time} ${response.status} ${request.method} ${request.path}${query}  ${key}${block}\n`;
}

const blockReasons = {
  address: 'more than 10 requests in 10 s from this address; wait, or start with --relaxed',
  key: 'more than 60 requests a minute with this key; wait, or start with --relaxed',
} as const;
