// Kills a mock that saves, again and again while clients write, and counts acknowledged writes that are lost.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCli } from './command.ts';

/** One life of the mock, as its own process: a process that is killed cannot clean up. */
type Mock = Awaited<ReturnType<typeof startCli>>;

/** `seed` decides how many writes each life of the mock sees. */
export interface CrashOptions {
  readonly kills: number;
  readonly seed: number;
  /** Flags of the mock next to those that the test needs. */
  readonly flags?: readonly string[];
  readonly onProgress?: (line: string) => void;
}

/** `lost` must be empty; the other fields show the extent of the test. */
export interface CrashResult {
  readonly kills: number;
  readonly acknowledged: Readonly<Record<'posts' | 'links' | 'replies' | 'calls', number>>;
  /** Acknowledged writes that are missing after the next start. */
  readonly lost: readonly string[];
  readonly fileMb: number;
  readonly slowestStartMs: number;
}

const authorization = 'Bearer casa_0123456789abcdef0123456789abcdef';
const writers = 8;

/** The acknowledged writes. */
interface Acknowledged {
  readonly posts: Set<string>;
  readonly links: Set<string>;
  readonly calls: Set<string>;
  /** The number of the last reply to a review. */
  readonly replies: Map<string, number>;
  count: number;
}

/** An account with a review for each writer. */
interface Reviewed {
  readonly accountId: string;
  readonly reviewIds: readonly string[];
}

/**
 * SIGKILL while eight writers wait for responses: the kill falls anywhere between a change, its line in the file, the
 * sync and the response. Only one direction counts: an acknowledged write must be there after the next start, an
 * unacknowledged one may.
 */
export async function crash({ kills, seed, flags = [], onProgress = () => {} }: CrashOptions): Promise<CrashResult> {
  const folder = mkdtempSync(join(tmpdir(), 'casa-crash-'));
  const file = join(folder, 'crash.state');
  const argv = ['--relaxed', '--quiet', '--save', file, ...flags];
  const written: Acknowledged = { posts: new Set(), links: new Set(), calls: new Set(), replies: new Map(), count: 0 };
  const lost = new Set<string>();
  let slowestStartMs = 0;
  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      const startedMs = performance.now();
      const mock = await startCli(argv);
      slowestStartMs = Math.max(slowestStartMs, performance.now() - startedMs);
      for (const what of await missing(mock, written)) lost.add(what);
      const target = await reviewed(mock);
      const enough = written.count + 50 + ((seed * 7_919 + kill * 104_729) % 400);
      const ends = Array.from({ length: writers }, (_, writer) => write(mock, { writer, target, written }));
      while (written.count < enough && mock.child.exitCode === null)
        await new Promise((resolve) => setImmediate(resolve));
      mock.child.kill('SIGKILL');
      await mock.ended;
      await Promise.all(ends);
      onProgress(`${kill} of ${kills} kills: ${written.count} writes acknowledged, ${lost.size} lost`);
    }
    const mock = await startCli(argv);
    for (const what of await missing(mock, written)) lost.add(what);
    mock.child.kill('SIGTERM');
    await mock.ended;
    const { posts, links, calls, replies } = written;
    const acknowledged = { posts: posts.size, links: links.size, replies: replies.size, calls: calls.size };
    return { kills, acknowledged, lost: [...lost], fileMb: statSync(file).size / 1e6, slowestStartMs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the responses come from our mock.
async function ask({ baseUrl }: Mock, line: string, body?: object): Promise<any> {
  const [method = 'GET', path = ''] = line.split(' ');
  const response = await fetch(new URL(path, baseUrl), {
    method,
    headers: { authorization },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  throw new Error(`${line} returned ${response.status}: ${text.slice(0, 300)}`);
}

/** Each writer replies to separate reviews, so the last reply to a review is known. */
async function reviewed(mock: Mock): Promise<Reviewed> {
  const { data } = await ask(mock, 'GET /api/v1/connect/accounts');
  for (const { accountId, provider, status, locked } of data.accounts) {
    if (provider !== 'google_business' || status !== 'connected' || locked) continue;
    const { data: page } = await ask(mock, `GET /api/v1/connect/accounts/${accountId}/reviews`);
    const reviewIds = page.reviews.map(({ reviewId }: { reviewId: string }) => reviewId);
    if (reviewIds.length >= writers) return { accountId, reviewIds };
  }
  throw new Error('The world does not have an account with enough reviews.');
}

/** Writes sequentially until the mock is gone. Each writer has separate reviews for its replies. */
async function write(
  mock: Mock,
  { writer, target, written }: { readonly writer: number; readonly target: Reviewed; readonly written: Acknowledged },
): Promise<void> {
  const { accountId, reviewIds } = target;
  const own = reviewIds.filter((_, i) => i % writers === writer);
  const accounts = 'POST /api/v1/connect/accounts';
  const done = (note: () => void) => {
    note();
    written.count += 1;
  };
  try {
    for (let i = 0; ; i += 1) {
      const mark = `${writer}-${written.count}`;
      const post = await ask(mock, `${accounts}/${accountId}/posts`, { text: `crash ${mark}` });
      done(() => written.posts.add(post.data.postId));
      await ask(mock, accounts, { provider: 'tiktok', label: `crash ${mark}` });
      done(() => written.links.add(`crash ${mark}`));
      const reviewId = own[i % own.length] ?? '';
      const number = written.count;
      await ask(mock, `${accounts}/${accountId}/reviews/${encodeURIComponent(reviewId)}/reply`, {
        text: `crash reply ${number}`,
      });
      done(() => written.replies.set(reviewId, number));
      const call = await ask(mock, 'POST /__admin/calls', {});
      done(() => written.calls.add(call.call.id));
    }
  } catch {
    // The mock is gone: unacknowledged writes may exist or not.
  }
}

/** The writes that are in the written and not in the mock. */
async function missing(mock: Mock, { posts, links, calls, replies }: Acknowledged): Promise<string[]> {
  const taken = await ask(mock, 'POST /__admin/snapshots', {});
  const text = JSON.stringify(await ask(mock, `GET /__admin/snapshots/${taken.id}`));
  const all = (field: string) =>
    new Set([...text.matchAll(new RegExp(`"${field}":"([^"]+)"`, 'g'))].map(([, value]) => value ?? ''));
  const [ids, labels, callIds] = [all('postId'), all('label'), all('id')];
  const kept = new Map(
    [...text.matchAll(/"reviewId":"([^"]+)"(?:(?!"reviewId").)*?"replyText":"crash reply (\d+)"/g)].map(
      ([, reviewId, number]) => [reviewId, Number(number)],
    ),
  );
  return [
    ...[...posts].filter((id) => !ids.has(id)).map((id) => `post ${id}`),
    ...[...links].filter((label) => !labels.has(label)).map((label) => `link ${label}`),
    ...[...calls].filter((id) => !callIds.has(id)).map((id) => `call ${id}`),
    ...[...replies].filter(([id, number]) => !((kept.get(id) ?? -1) >= number)).map(([id]) => `reply to ${id}`),
  ];
}
