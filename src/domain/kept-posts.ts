// The posts of one account. Nobody reads them but snapshots, saved files and tests, and a test may make a hundred
// thousand: as objects each took a kilobyte, which the collector copied twice before it came to rest. So those that
// come in while the mock runs lie as lines of JSON on pages of bytes, without the names that all of them have.
import { LateList } from './late-list.ts';
import type { PostData } from './world-data.ts';

interface Page {
  readonly bytes: Uint8Array;
  end: number;
  /** Of its lines. */
  count: number;
}

const firstPageBytes = 1_024;
const pageBytesMax = 65_536;
/** UTF-8 takes so many bytes at most for a unit of UTF-16. */
const bytesPerUnit = 3;
const lineFeed = 10;

/** A post as it is kept. */
type Line = readonly [
  postId: string,
  /** The number of a beginning, where the end is that of the id. */
  permalink: string | number | null,
  text: string,
  postedAt: string,
  imageUrl?: string | null,
  link?: string,
];

/** Platforms have one each. */
const beginningsMax = 16;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class KeptPosts {
  /** Those that it began with: they are the world's, and never changed. */
  #first: readonly PostData[];
  #pages: Page[] = [];
  #count = 0;
  /** Of permalinks. */
  readonly #beginnings: string[] = [];

  constructor(first: readonly PostData[] = []) {
    this.#first = first;
  }

  get length(): number {
    return this.#first.length + this.#count;
  }

  push(post: PostData): void {
    const line = JSON.stringify(this.#lineOf(post));
    const page = this.#pageFor(line.length * bytesPerUnit + 1);
    if (page) {
      page.end += encoder.encodeInto(line, page.bytes.subarray(page.end)).written;
      page.bytes[page.end] = lineFeed;
      page.end += 1;
      page.count += 1;
    } else {
      const bytes = encoder.encode(`${line}\n`);
      this.#pages.push({ bytes, end: bytes.length, count: 1 });
    }
    this.#count += 1;
  }

  /** The newest with this id goes. Nearly always it lies on the last page. */
  drop(postId: string): void {
    const last = this.#pages.at(-1);
    const onLast = last ? this.#postsOn(last) : [];
    const at = onLast.findLastIndex((post) => post.postId === postId);
    if (at === -1) {
      const all = this.toData();
      const index = all.findLastIndex((post) => post.postId === postId);
      if (index === -1) return;
      this.#first = all.toSpliced(index, 1);
      this.#pages = [];
      this.#count = 0;
      return;
    }
    this.#pages.pop();
    this.#count -= onLast.length;
    for (const post of onLast.toSpliced(at, 1)) this.push(post);
  }

  /** In their order. */
  toData(): PostData[] {
    return [...this.#first, ...this.#pages.flatMap((page) => this.#postsOn(page))];
  }

  /** Those of this moment: what comes later is written behind the ends that the pages have now. */
  toWrite(): LateList<PostData> {
    const first = this.#first;
    const pages = this.#pages.map((page) => ({ ...page }));
    // Slices are shorter than pages, so that the next one nearly always lies on the same page.
    let open: { readonly page: Page; readonly posts: readonly PostData[] } | null = null;
    const postsOn = (page: Page): readonly PostData[] => {
      if (open?.page !== page) open = { page, posts: this.#postsOn(page) };
      return open.posts;
    };
    return new LateList(this.length, (from, to) => {
      const found = first.slice(from, to);
      let start = first.length;
      for (const page of pages) {
        const end = start + page.count;
        if (start < to && end > from) found.push(...postsOn(page).slice(Math.max(0, from - start), to - start));
        start = end;
      }
      return found;
    });
  }

  /** Null for a line that gets a page of just its length, so that little of a page is left empty. */
  #pageFor(bytesMax: number): Page | null {
    if (bytesMax > pageBytesMax / 8) return null;
    const last = this.#pages.at(-1);
    if (last && last.end + bytesMax <= last.bytes.length) return last;
    const roomy = Math.min(pageBytesMax, 2 * (last?.bytes.length ?? firstPageBytes / 2));
    const page = { bytes: new Uint8Array(Math.max(roomy, bytesMax)), end: 0, count: 0 };
    this.#pages.push(page);
    return page;
  }

  #lineOf({ postId, permalink, text, postedAt, imageUrl, link }: PostData): Line {
    const place = this.#shorten(permalink, postId);
    if (link !== undefined) return [postId, place, text, postedAt, imageUrl ?? null, link];
    return imageUrl === undefined ? [postId, place, text, postedAt] : [postId, place, text, postedAt, imageUrl];
  }

  /** What follows the first `_` of an id is the end of its permalink. */
  #shorten(permalink: string | null, postId: string): Line[1] {
    const end = markOf(postId);
    if (permalink === null || end === '' || !permalink.endsWith(end)) return permalink;
    const beginning = permalink.slice(0, -end.length);
    const known = this.#beginnings.indexOf(beginning);
    if (known !== -1) return known;
    return this.#beginnings.length < beginningsMax ? this.#beginnings.push(beginning) - 1 : permalink;
  }

  #postsOn({ bytes, end }: Page): PostData[] {
    const lines = decoder.decode(bytes.subarray(0, end)).split('\n');
    return lines.slice(0, -1).map((line) => this.#postOf(JSON.parse(line) as Line));
  }

  #postOf([postId, place, text, postedAt, imageUrl, link]: Line): PostData {
    const permalink = typeof place === 'number' ? `${this.#beginnings[place]}${markOf(postId)}` : place;
    return {
      postId,
      permalink,
      text,
      ...(imageUrl == null ? {} : { imageUrl }),
      ...(link === undefined ? {} : { link }),
      postedAt,
    };
  }
}

function markOf(postId: string): string {
  return postId.slice(postId.indexOf('_') + 1);
}
