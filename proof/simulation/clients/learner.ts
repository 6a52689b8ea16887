// Somebody who has not read the contract: input that it forbids, input that it barely allows, accounts of others. Cites
// 7.code.invalid-input, 8.label, 8.max-accounts, 8.post-text, 8.reply-text, 1.foreign-record,
// 4.connect.unknown-account.
import {
  between,
  type Cast,
  type Client,
  type Draft,
  type Life,
  minuteMs,
  once,
  pause,
  pick,
  politely,
  type Stage,
} from '../client.ts';
import { codeOf, isBlocked, isLost } from '../exchange.ts';
import type { KnownOrganization } from '../ledger.ts';
import { hold } from '../violation.ts';

/** Not polite: what it sends again after a refusal may be judged. */
export function learner(name: string, cast: Cast): Client {
  const { organization, other } = cast;
  return {
    ...cast,
    name,
    polite: false,
    *life(stage) {
      for (;;) {
        yield* pause(between(stage.chance, 2 * minuteMs, 20 * minuteMs));
        const own = organization.accounts.flatMap(({ accountId }) => accountId ?? []);
        const foreign = other?.accounts.flatMap(({ accountId }) => accountId ?? []) ?? [];
        const accountId = pick(stage.chance, own.length > 0 ? own : [nobody]);
        const turn = stage.chance.below(5);
        if (turn < 2) yield* expectCode(stage, pick(stage.chance, forbidden(accountId)), 'invalid_input');
        else if (turn === 2) yield* readBarely(stage);
        else if (turn === 3) yield* politely(stage, pick(stage.chance, odd(organization, accountId)));
        else {
          const target = pick(stage.chance, [nobody, nil, ...foreign]);
          yield* expectCode(stage, pick(stage.chance, onAccount(target)), 'not_found');
        }
      }
    },
  };
}

const nobody = '00000000-0000-4000-8000-000000000000';
const nil = '00000000-0000-0000-0000-000000000000';

/** Every operation that names an account, so that none forgets to look whose it is. */
const onAccount = (accountId: string): readonly Draft[] => {
  const base = `/connect/accounts/${accountId}`;
  return [
    { operation: 'listReviews', path: `${base}/reviews` },
    { operation: 'getInsights', path: `${base}/insights` },
    { operation: 'createPost', method: 'POST', path: `${base}/posts`, body: { text: 'x' } },
    { operation: 'replyToReview', method: 'POST', path: `${base}/reviews/x/reply`, body: { text: 'x' } },
  ];
};

/** Each is wrong in one way, so that a mock which misses that one way lets it through. */
const forbidden = (accountId: string): readonly Draft[] => {
  const link = (body: unknown): Draft => ({
    operation: 'createConnectLink',
    method: 'POST',
    path: '/connect/accounts',
    body,
  });
  const base = `/connect/accounts/${accountId}`;
  const post = (body: unknown): Draft => ({ operation: 'createPost', method: 'POST', path: `${base}/posts`, body });
  const reply = (body: unknown): Draft => ({
    operation: 'replyToReview',
    method: 'POST',
    path: `${base}/reviews/x/reply`,
    body,
  });
  const good = { provider: 'tiktok', label: 'x' };
  return [
    ...[{ ...good, provider: 'youtube' }, { label: 'x' }, { provider: 'tiktok' }, { ...good, label: '' }].map(link),
    ...[
      { ...good, label: 'x'.repeat(81) },
      { ...good, label: 7 },
      { ...good, maxAccounts: 0 },
    ].map(link),
    ...[{ ...good, maxAccounts: 21 }, { ...good, maxAccounts: '3' }, { ...good, maxAccounts: 1.5 }, [], '{'].map(link),
    ...[[good], null, { ...good, label: null }, { ...good, provider: 'TikTok' }].map(link),
    ...[{}, { text: '' }, { text: 7 }, { text: '💥'.repeat(5001) }, { text: 'x', media: {} }, 'x'].map(post),
    ...[
      { text: 'x', link: 'no link' },
      { text: 'x', media: { imageUrl: 'none' } },
      { text: 'x', link: null },
    ].map(post),
    ...[{}, { text: '' }, { text: [] }, { text: 'é'.repeat(4097) }, ['x']].map(reply),
    ...['14d', '28D', ''].map(
      (range): Draft => ({ operation: 'getInsights', path: `${base}/insights`, query: { range } }),
    ),
    ...onAccount('no-uuid').slice(0, 2),
    ...onAccount('00000000-0000-9000-8000-000000000000').slice(2),
    { operation: 'listCalls', path: '/connect/calls/log', query: { limit: 201 } },
    { operation: 'listCalls', path: '/connect/calls/log', query: { since: 'yesterday' } },
  ];
};

/** Requests with several legal answers, and none with a status or a body that the contract does not have. */
const odd = ({ articles, sites }: KnownOrganization, accountId: string): readonly Draft[] => {
  const slug = [...articles.values()][0]?.slug ?? 'x';
  const domain = [...sites.values()][0]?.domain ?? 'x';
  const list = { operation: 'listArticles', path: '/articles' } as const;
  return [
    ...['x', '-1', '0', '1e3', '101'].map((limit): Draft => ({ ...list, query: { limit } })),
    ...['x', '2026-13-01T00:00:00Z', ''].map((cursor): Draft => ({ ...list, query: { cursor } })),
    { ...list, query: { siteId: 'x' } },
    { operation: 'getArticle', path: `/articles/${slug}` },
    { operation: 'getSite', path: `/sites/${domain}` },
    { operation: 'listKeywords', path: '/keywords', query: { siteId: '' } },
    { operation: 'listReviews', path: `/connect/accounts/${accountId}/reviews`, query: { cursor: 'x' } },
    { operation: 'listCalls', path: '/connect/calls/log', query: { limit: 'x' } },
    { operation: 'createConnectLink', method: 'POST', path: '/connect/accounts', body: '['.repeat(50_000) },
    { operation: 'createConnectLink', method: 'POST', path: '/connect/accounts', body: Uint8Array.of(0x7b, 0xff) },
  ];
};

/** An answer that was lost, blocked or ordered otherwise proves nothing and is passed over. */
function* expectCode(stage: Stage, draft: Draft, code: string): Life {
  const answer = yield* politely(stage, draft);
  if (!answer) return;
  const told = () =>
    `${draft.path} ${JSON.stringify(draft.body ?? draft.query ?? {}).slice(0, 80)}: ${codeOf(answer)}, not ${code}`;
  hold('refusals', codeOf(answer) === code, told);
}

/** A list at the edges of its parameters: it must be neither refused nor fail. */
function* readBarely(stage: Stage): Life {
  const log = { operation: 'listCalls', path: '/connect/calls/log' } as const;
  const since = '2026-01-01T00:00:00';
  const draft = pick<Draft>(stage.chance, [
    { ...log, query: { limit: 1, since: `${since}+02:00` } },
    { ...log, query: { limit: 200, since: `${since}Z` } },
    { ...log, query: { limit: 1, since: `${since}.123456789Z` } },
    { operation: 'listArticles', path: '/articles', query: { limit: 1 } },
    { operation: 'listArticles', path: '/articles', query: { limit: 100 } },
  ]);
  const answer = yield* once(stage, draft);
  if (isLost(answer) || isBlocked(answer) || answer.response.headers['x-casa-fault'] !== undefined) return;
  hold('refusals', answer.response.status === 200, () => `${JSON.stringify(draft.query)}: ${answer.response.status}`);
  const { data } = answer.json;
  const rows = (Array.isArray(data) ? data : data.calls) as unknown[];
  hold(
    'records',
    rows.length <= Number(draft.query?.limit),
    () => `${rows.length} rows for ${JSON.stringify(draft.query)}`,
  );
}
