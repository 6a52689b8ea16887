import type { Fields, Visit, Wrongness } from '../seams.ts';
import type { Answer } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';

// What was refused, or not found, leaves a trace in a list.

const isLink = ({ method, segments }: Visit): boolean => method === 'POST' && segments.join('/') === 'connect/accounts';

/** One more pending invite of the first organization for each link that was refused so. */
function invitesFor(status: number): () => Wrongness {
  return () => {
    let made = 0;
    return {
      answer: (answer, { visit }) => {
        if (isLink(visit) && answer.status === status) made += 1;
        return answer;
      },
      'account.list': (list, { context, ask }) => {
        const traces = Array.from(
          { length: made },
          (_, index): Fields => ({
            id: `invite-${index}`,
            label: 'unnamed',
            provider: 'tiktok',
            maxAccounts: 1,
            expiresAt: '2031-01-01T00:00:00Z',
          }),
        );
        const isFirst = ask.org === context.world.first;
        return isFirst ? { ...list, pendingInvites: [...list.pendingInvites, ...traces] } : list;
      },
    };
  };
}

/** The ids that were asked for in vain, from then on. */
function missing(at: (visit: Visit) => string | undefined) {
  const ids = new Set<string>();
  const note = (answer: Answer, { visit }: { visit: Visit }): Answer => {
    const id = visit.known && answer.status === 404 ? at(visit) : undefined;
    if (id !== undefined) ids.add(id);
    return answer;
  };
  return { ids, note };
}

const ROW = { name: 'unnamed', domain: 'unnamed.example', cms: 'none', language: 'en' } as const;

export const traceMutants: MutantsByClause = {
  '4.connect.create-link.invalid': {
    'refused-link-makes-an-invite': {
      shows: 'POST /connect/accounts that answers 400 leaves a pending invite in the list.',
      wrong: invitesFor(400),
    },
  },
  '5.missing-key': {
    'link-without-key-makes-an-invite': {
      shows: 'POST /connect/accounts that answers 401 leaves a pending invite in the list.',
      needs: 'bursts',
      wrong: invitesFor(401),
    },
  },
  '8.body-rest': {
    'too-large-link-makes-an-invite': {
      shows: 'POST /connect/accounts that answers 413 leaves a pending invite in the list.',
      needs: 'bursts',
      wrong: invitesFor(413),
    },
  },
  '4.sites.list': {
    'site-not-found-is-listed': {
      shows: 'A site that GET /sites/{id} did not find stands in GET /sites from then on.',
      wrong: () => {
        const { ids, note } = missing(({ segments: [kind, id] }) => (kind === 'sites' ? id : undefined));
        return {
          answer: (answer, { visit, context }) => {
            const isList = visit.segments.join('/') === 'sites' && answer.status === 200;
            if (!isList || ids.size === 0) return note(answer, { visit });
            const { data } = answer.body as { data: Fields[] };
            const createdAt = data[0]?.createdAt ?? new Date(context.now()).toISOString();
            return { ...answer, body: { data: [...data, ...[...ids].map((id) => ({ ...ROW, id, createdAt }))] } };
          },
        };
      },
    },
  },
  '4.connect.list-accounts.content': {
    'account-not-found-is-listed': {
      shows: 'An account whose reviews were asked for and not found is listed as pending from then on.',
      wrong: () => {
        const { ids, note } = missing(({ segments }) => (segments[3] === 'reviews' ? segments[2] : undefined));
        const row = { provider: 'tiktok', label: 'unnamed', name: null, status: 'pending', locked: false };
        return {
          answer: note,
          'account.list': (list) => ({
            ...list,
            accounts: [...list.accounts, ...[...ids].map((accountId) => ({ ...row, accountId, connectedAt: null }))],
          }),
        };
      },
    },
    'invite-missing-at-times': {
      shows: 'Every second list of accounts comes from a replica that does not have the last invite.',
      wrong: () => {
        let asked = 0;
        return {
          'account.list': (list) => {
            asked += 1;
            return asked % 2 === 0 ? { ...list, pendingInvites: list.pendingInvites.slice(0, -1) } : list;
          },
        };
      },
    },
  },
  '7.code.unauthorized': {
    'refusal-cached-by-address': {
      shows: 'For a minute after a 401 for GET /sites or /articles the good key gets it too, at the same address.',
      needs: 'bursts',
      wrong: () => {
        const kept = new Map<string, { at: number; answer: Answer }>();
        return {
          answer: (answer, { context, visit }) => {
            const { segments, query, known, method } = visit;
            const isListed =
              method === 'GET' && segments.length === 1 && ['sites', 'articles'].includes(segments[0] ?? '');
            if (!isListed) return answer;
            const name = `${segments[0]}?${query}`;
            if (answer.status === 401 && !known) kept.set(name, { at: context.now(), answer });
            const before = kept.get(name);
            return before !== undefined && known && context.now() - before.at < 60_000 ? before.answer : answer;
          },
        };
      },
    },
  },
};
