// A reader of articles, sites and keywords: walks all pages with one limit, and opens rows by id.
// Cites 4.articles.list.walk, 4.articles.get.same-id, 4.keywords.list.of-site.
import { between, type Cast, type Client, type Life, minuteMs, pause, pick, politely, type Stage } from '../client.ts';
import { codeOf } from '../exchange.ts';
import type { KnownOrganization } from '../ledger.ts';
import { hold } from '../violation.ts';

/** Compares whole walks with the world, since a page by itself cannot show what is missing. */
export function reader(name: string, cast: Cast): Client {
  const { organization, other } = cast;
  return {
    ...cast,
    name,
    polite: true,
    *life(stage) {
      const tours = [walkArticles, walkArticles, openRows, readKeywords, readForeign] as const;
      for (;;) {
        yield* pause(between(stage.chance, minuteMs, 40 * minuteMs));
        yield* pick(stage.chance, tours)(stage, organization, other);
      }
    },
  };
}

/** Even with one row on a page a walk has no more pages than rows; a longer one has no end. */
function* walkArticles(stage: Stage, { articles, sites }: KnownOrganization): Life {
  const siteId = pick(stage.chance, [undefined, ...sites.keys()]);
  const limit = pick(stage.chance, [undefined, 1 + stage.chance.below(100), 1, 100, 20]);
  const expected = [...articles.values()].filter((article) => siteId === undefined || article.siteId === siteId);
  const seen = new Set<string>();
  let cursor: string | null | undefined;
  for (let page = 0; page <= expected.length + 1; page += 1) {
    const answer = yield* politely(stage, {
      operation: 'listArticles',
      path: '/articles',
      query: { siteId, limit, cursor: cursor ?? undefined },
    });
    if (!answer) return;
    hold(
      'records',
      answer.response.status === 200,
      () => `a page of articles was answered with ${answer.response.status}`,
    );
    const rows = answer.json.data as { id: string; siteId: string; createdAt: string }[];
    hold('records', rows.length <= (limit ?? 20), () => `${rows.length} articles on a page of ${limit ?? 20}`);
    for (const { id, siteId: of } of rows) {
      hold('records', !seen.has(id), () => `the article ${id} came twice in one walk`);
      hold(
        'records',
        siteId === undefined || of === siteId,
        () => `the article ${id} is of the site ${of}, not ${siteId}`,
      );
      seen.add(id);
    }
    ({ cursor } = answer.json as { cursor: string | null });
    if (cursor === null) return holdWalk(seen, expected, limit ?? 20);
    hold(
      'records',
      cursor === rows.at(-1)?.createdAt,
      () => `the cursor ${cursor} is not the createdAt of the last row`,
    );
  }
  hold('records', false, () => `the pages of ${expected.length} articles do not end`);
}

// At a tie across a page edge a cursor of time loses rows: the hazard of choice C17.
function holdWalk(
  seen: ReadonlySet<string>,
  expected: readonly { id: string; createdAt: string }[],
  limit: number,
): void {
  const lost = expected.filter(({ id }) => !seen.has(id));
  const untied = lost.filter(
    ({ id, createdAt }) => !expected.some((other) => other.id !== id && other.createdAt === createdAt),
  );
  hold(
    'records',
    untied.length === 0,
    () => `a walk with pages of ${limit} has lost ${untied.map(({ id }) => id).join(', ')}`,
  );
}

/** Now and then the id is in upper case, which names the same record (choice C62). */
function* openRows(stage: Stage, { articles, sites }: KnownOrganization): Life {
  const list = yield* politely(stage, { operation: 'listSites', path: '/sites' });
  if (list)
    hold('records', list.json.data?.length === sites.size, () => `${list.json.data?.length} of ${sites.size} sites`);
  for (const [operation, rows] of [
    ['getArticle', articles],
    ['getSite', sites],
  ] as const) {
    if (rows.size === 0) continue;
    const id = pick(stage.chance, [...rows.keys()]);
    const asked = stage.chance.below(4) === 0 ? id.toUpperCase() : id;
    const path = `${operation === 'getSite' ? '/sites' : '/articles'}/${asked}`;
    const answer = yield* politely(stage, { operation, path });
    if (answer) hold('records', answer.json.data?.id === id, () => `${path} was answered with ${answer.json.data?.id}`);
  }
}

/** The list of keywords needs a site; without one, or with none that is a UUID, it is refused. */
function* readKeywords(stage: Stage, { sites, keywords }: KnownOrganization): Life {
  const siteId = pick(stage.chance, [undefined, 'no-uuid', ...sites.keys()]);
  const answer = yield* politely(stage, { operation: 'listKeywords', path: '/keywords', query: { siteId } });
  if (!answer) return;
  if (siteId === undefined || siteId === 'no-uuid') {
    return hold(
      'refusals',
      answer.response.status === 400,
      () => `keywords of the site ${siteId}: ${answer.response.status}`,
    );
  }
  const expected = keywords.filter((keyword) => keyword.siteId === siteId).length;
  hold('records', answer.json.data?.length === expected, () => `${answer.json.data?.length} of ${expected} keywords`);
}

// Rows of another organization, and rows that nobody has. Cites 1.unknown-record, 1.foreign-record.
function* readForeign(stage: Stage, _own: KnownOrganization, other: KnownOrganization | undefined): Life {
  const nobody = '00000000-0000-4000-8000-000000000000';
  const articleId = pick(stage.chance, [nobody, ...(other?.articles.keys() ?? [])]);
  const siteId = pick(stage.chance, [nobody, ...(other?.sites.keys() ?? [])]);
  for (const [operation, path] of [
    ['getArticle', `/articles/${articleId}`],
    ['getSite', `/sites/${siteId}`],
  ] as const) {
    const answer = yield* politely(stage, { operation, path });
    if (answer)
      hold('refusals', codeOf(answer) === 'not_found', () => `${path}: ${answer.response.status} ${codeOf(answer)}`);
  }
  for (const operation of ['listKeywords', 'listArticles'] as const) {
    const path = operation === 'listKeywords' ? '/keywords' : '/articles';
    const answer = yield* politely(stage, { operation, path, query: { siteId } });
    const rows = answer?.json.data as unknown[] | undefined;
    hold(
      'isolation',
      rows === undefined || rows.length === 0,
      () => `${path} shows ${rows?.length} rows of another's site`,
    );
  }
}
