// Nothing of one organization is ever in an answer to the key of another, and no answer has a key in it.
// Cites 1.organization-scope, 5.key-organization.
import { bodyText } from '../../../src/http/message.ts';
import type { Exchange } from '../exchange.ts';
import type { Ledger } from '../ledger.ts';
import { hold } from '../violation.ts';

/** Members whose text names one record. */
const naming: ReadonlySet<string> = new Set(['id', 'siteId', 'accountId', 'reviewId', 'postId', 'connectUrl']);

/** Ids that appear later belong to whoever was shown them first. */
export function watchIsolation({ organizations, byKey }: Ledger): (exchange: Exchange) => void {
  /** The organization that was first seen with an id; the ids of the world are known beforehand. */
  const owners = new Map<string, string>();
  for (const { id, articles, sites, keywords, accounts, calls } of organizations) {
    const rows = [...articles.keys(), ...sites.keys(), ...keywords.map((keyword) => keyword.id), ...calls.ids];
    for (const name of [...rows, ...accounts.map(({ accountId }) => accountId as string)]) owners.set(name, id);
  }

  const walk = (value: unknown, owner: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string') {
        if (!naming.has(name)) continue;
        const known = owners.get(member);
        hold(
          'isolation',
          known === undefined || known === owner,
          () => `${owner} was shown ${name} ${member} of ${known}`,
        );
        if (known === undefined) owners.set(member, owner);
      } else walk(member, owner);
    }
  };

  return ({ request, response, json }) => {
    if (!request.path.startsWith('/api/v1/')) return;
    const key = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const owner = byKey.get(key);
    const text = bodyText(response);
    const leaked = organizations.find((organization) => text.includes(organization.key));
    hold('isolation', leaked === undefined, () => `the key of ${leaked?.id} is in an answer`);
    hold('isolation', owner !== undefined || response.status !== 200, () => `a key that is not good got ${text}`);
    if (owner && response.status === 200) walk(json, owner.id);
  };
}
