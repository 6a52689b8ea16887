// A deployment that others use: before each request something may be published, edited, deleted, replied to or settled.
// The same seed and the same requests give the same life.
import { pushCall } from './data.ts';
import { uuidOf } from './ids.ts';
import { toNs, unitOf } from './time.ts';
import type { Article, Org, World } from './types.ts';
import type { Variant } from './variants.ts';

const day = 86_400_000;
/** Of a hundred requests, those before which something happens. */
const changesPercent = 45;
/** An organization that still publishes keeps some of its articles. */
const articlesMin = 12;

interface Life {
  readonly world: World;
  readonly variant: Variant;
  readonly org: Org;
  readonly at: number;
  below(bound: number): number;
  one<T>(items: readonly T[]): T | undefined;
  newId(): string;
}

type Event = (life: Life) => void;

function remove<T>(items: T[], item: T | undefined): void {
  const at = item === undefined ? -1 : items.indexOf(item);
  if (at >= 0) items.splice(at, 1);
}

function touch(article: Article | undefined, { at, variant }: Life, change: Partial<Article>): void {
  if (article === undefined) return;
  const unit = unitOf(variant.timeFormat);
  const nowNs = (toNs(at) / unit) * unit;
  const updatedNs = nowNs > article.updatedNs ? nowNs : article.updatedNs + unit;
  Object.assign(article, change, { updatedNs });
}

/** A new article is younger than all others, by the grain in which timestamps are written. */
function nextNs({ org, at, variant }: Life): bigint {
  const unit = unitOf(variant.timeFormat);
  // biome-ignore lint/complexity/useMathMinMax: Math.max takes no bigint
  const youngest = org.articles.reduce((most, { createdNs }) => (createdNs > most ? createdNs : most), 0n);
  const nowNs = (toNs(at) / unit) * unit;
  return nowNs > youngest ? nowNs : youngest + unit;
}

const articleEvents: readonly Event[] = [
  (life) => touch(life.one(life.org.articles), life, { status: 'published', publishedMs: life.at }),
  (life) => touch(life.one(life.org.articles), life, { title: `Edited ${life.newId()}`, wordCount: life.below(900) }),
  (life) => {
    // Never back: an article that is gone and returns shows an instance that is out of date.
    const site = life.org.sites.at(-1);
    if (site !== undefined) touch(life.one(life.org.articles), life, { siteId: site.id });
  },
  ({ org, one }) => {
    if (org.articles.length > articlesMin) remove(org.articles, one(org.articles));
  },
  (life) => {
    const [site, like] = [life.one(life.org.sites), life.one(life.org.articles)];
    if (site === undefined || like === undefined) return;
    const createdNs = nextNs(life);
    const [id, slug] = [life.newId(), `new-${life.below(1_000_000)}`];
    life.org.articles.push({ ...like, id, slug, siteId: site.id, createdNs, updatedNs: createdNs });
  },
];

const siteEvents: readonly Event[] = [
  ({ org, one, below }) => Object.assign(one(org.sites) ?? {}, { name: `Renamed ${below(1000)}` }),
  ({ org, one, newId, at }) => {
    const like = one(org.sites);
    if (like !== undefined) org.sites.push({ ...like, id: newId(), domain: `${newId()}.example`, createdMs: at });
  },
  ({ org, one }) => {
    const gone = one(org.sites);
    const others = org.articles.filter(({ siteId }) => siteId !== gone?.id);
    if (org.sites.length < 3 || others.length < articlesMin) return;
    remove(org.sites, gone);
    org.articles = others;
    org.keywords = org.keywords.filter(({ siteId }) => siteId !== gone?.id);
  },
  ({ org, one }) => remove(org.keywords, one(org.keywords)),
  ({ org, one, newId, at }) => {
    const like = one(org.keywords);
    if (like !== undefined) org.keywords.push({ ...like, id: newId(), keyword: newId(), createdMs: at });
  },
];

const accountEvents: readonly Event[] = [
  ({ org, one }) => {
    const { reviews = [] } = one(org.accounts) ?? {};
    remove(reviews, one(reviews));
  },
  ({ org, one, newId, at }) => {
    const text = 'New and long enough to be distinguished from all of the others.';
    const { reviews } = one(org.accounts) ?? {};
    if (reviews?.length) reviews.push({ id: newId(), author: 'New', rating: 5, text, date: at, reply: undefined });
  },
  ({ org, one, at }) => {
    const review = one(one(org.accounts)?.reviews ?? []);
    if (review !== undefined) review.reply = { text: 'Thank you.', at };
  },
  ({ org, one }) => Object.assign(one(org.accounts) ?? {}, { status: 'revoked' }),
  ({ org, one, below }) => Object.assign(one(org.accounts) ?? {}, { label: `Label ${below(1000)}` }),
  ({ org, one }) => remove(org.accounts, one(org.accounts)),
  ({ org, one, newId, at }) => {
    const like = one(org.accounts);
    if (like !== undefined) org.accounts.push({ ...like, id: newId(), reviews: [], connected: at });
  },
  ({ org, one }) => remove(org.invites, one(org.invites)),
  ({ org, variant, newId, at }) => {
    const id = variant.oddPlainIds ? `inv_${newId()}` : newId();
    org.invites.push({ id, label: 'New', provider: 'tiktok', maxAccounts: 1, expires: at + 3 * day });
  },
];

const callEvents: readonly Event[] = [
  ({ world, org, at }) => void pushCall(world, org, { started: at, ended: null, reported: at }),
  ({ world, org, one, at }) => {
    const call = one(org.calls.filter(({ ended }) => ended === null));
    if (call === undefined) return;
    world.counter += 1;
    Object.assign(call, { ended: at, reported: at, order: world.counter });
  },
  // A call that settles this very moment: it ended a while ago and is reported now.
  ({ world, org, at, below }) => {
    const ended = at - 300_000 - below(120_000);
    pushCall(world, org, { started: ended - 60_000, ended, reported: at });
  },
];

const events: readonly (readonly Event[])[] = [articleEvents, siteEvents, accountEvents, callEvents, callEvents];

/** Applies the changes of others up to the time of a request. */
export function makeLife(world: World, variant: Variant, seed: number): (at: number) => void {
  let state = (seed * 2_654_435_761) >>> 0;
  let made = 0;
  const below = (bound: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % bound;
  };
  const one = <T>(items: readonly T[]): T | undefined => items[below(Math.max(1, items.length))];
  const newId = () => {
    made += 1;
    return uuidOf(`life/${seed}/${made}`, variant.idVersion);
  };
  return (at) => {
    while (below(100) < changesPercent) {
      const org = below(4) === 0 ? world.second : world.first;
      one(one(events) ?? [])?.({ world, variant, org, at, below, one, newId });
    }
  };
}
