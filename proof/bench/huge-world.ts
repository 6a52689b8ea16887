// Whether a world of 100,000 articles and calls pages as fast as the default one.
import type { LoadResult } from './load.ts';
import { runRounds } from './rounds.ts';
import type { ServerProcess } from './server-process.ts';
import { number, table } from './table.ts';
import * as targets from './targets.ts';

/** The path of a page; an empty cursor is the first one. */
type PageOf = (cursor: string) => string;

const articles: PageOf = (cursor) => `/api/v1/articles?limit=10${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
const calls: PageOf = (since) =>
  `/api/v1/connect/calls/log?limit=10&since=${encodeURIComponent(since || '2000-01-01T00:00:00Z')}`;

/** Linear work on a page would show as a ratio far below 1. */
export async function measureHuge(normal: ServerProcess, facts: targets.Facts, isQuick: boolean): Promise<string> {
  const huge = await targets.startRaised(targets.ours('huge', ['--world', 'huge']));
  try {
    const rows = [
      await compare('articles', articles, { normal, huge, facts, isQuick }),
      await compare('calls', calls, { normal, huge, facts, isQuick }),
    ];
    return `### Pages of 10 from a world of 100,000 articles and calls, against the default world\n\n${table(
      ['list', 'default requests/s', 'huge requests/s', 'ratio', 'huge p99 ms', 'pages asked for'],
      rows,
    )}`;
  } finally {
    await huge.stop();
  }
}

/** Both mocks, and how they are asked. */
interface Pair {
  readonly normal: ServerProcess;
  readonly huge: ServerProcess;
  readonly facts: targets.Facts;
  readonly isQuick: boolean;
}

/** Only full pages of the small world, so that both send as many rows. */
async function compare(what: string, pageOf: PageOf, { normal, huge, facts, isQuick }: Pair): Promise<string[]> {
  const hugeKey = targets.keyOf(huge);
  const pages = await walk(huge, hugeKey, pageOf);
  const fullPages = (await walk(normal, facts.key, pageOf)).slice(0, -1);
  const results = runRounds(
    [
      { server: normal, requestsFile: targets.requestsFile(`default ${what}`, fullPages) },
      { server: huge, requestsFile: targets.requestsFile(`huge ${what}`, pages) },
    ],
    { connections: 50, ms: isQuick ? 1_000 : 3_000, repetitions: 3 },
  );
  const [own, other] = [results.get(normal.name), results.get(huge.name)] as [LoadResult, LoadResult];
  return [
    what,
    number(own.perSecond),
    number(other.perSecond),
    number(other.perSecond / own.perSecond, 2),
    number(other.p99Ms, 2),
    number(pages.length),
  ];
}

/** The requests of a walk along the cursors, at most 2,000 pages of it. */
async function walk(server: ServerProcess, key: string, pageOf: PageOf): Promise<string[]> {
  const requests: string[] = [];
  for (let cursor: string | null = ''; cursor !== null && requests.length < 2_000; ) {
    const path = pageOf(cursor);
    requests.push(targets.getRequest(path, key));
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const body = (await response.json()) as { cursor?: string | null; data: { nextCursor?: string | null } };
    cursor = body.cursor ?? body.data.nextCursor ?? null;
  }
  return requests;
}
