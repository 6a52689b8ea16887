// Bytes of records that soon go again, on pages that are used again. A record that is an object of its own, with all of
// its parts, survives two collections before it goes: with every request kept for a thousand requests, collecting them
// cost more than answering.

const pageBytes = 65_536;
/** A record that may take more gets a page of just its length, so that little of a page is left empty. */
const recordBytesMax = pageBytes / 8;
/** UTF-8 takes so many bytes at most for a unit of UTF-16. */
const bytesPerUnit = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export interface Page {
  readonly bytes: Uint8Array;
  /** How many records lie on it. */
  records: number;
}

const newPage = (length: number): Page => ({ bytes: new Uint8Array(length), records: 0 });

/** Where the parts of a record lie: each begins where the one before it ends. */
export interface Place {
  page: Page;
  start: number;
  headEnd: number;
  bodyEnd: number;
  end: number;
}

export const nowhere = (): Place => ({ page: newPage(0), start: 0, headEnd: 0, bodyEnd: 0, end: 0 });

export class Pages {
  #current = newPage(0);
  #next = 0;
  #spare: Page | null = null;

  /** Writes a record and notes in `place` where: two texts with bytes between them. */
  write(place: Place, { head, body, tail }: { head: string; body: Uint8Array | null; tail: string }): void {
    const most = (head.length + tail.length) * bytesPerUnit + (body?.length ?? 0);
    if (most > recordBytesMax) {
      const [first, last] = [encoder.encode(head), encoder.encode(tail)];
      place.page = newPage(first.length + (body?.length ?? 0) + last.length);
      put(place, 0, { head: first, body, tail: last });
    } else {
      if (this.#next + most > this.#current.bytes.length) this.#turn();
      place.page = this.#current;
      put(place, this.#next, { head, body, tail });
      this.#next = place.end;
    }
    place.page.records += 1;
  }

  /** The record at this place is not needed any more. */
  release({ page }: Place): void {
    page.records -= 1;
    if (page.records === 0 && page !== this.#current && page.bytes.length === pageBytes) this.#spare = page;
  }

  #turn(): void {
    this.#current = this.#spare ?? newPage(pageBytes);
    this.#spare = null;
    this.#next = 0;
  }
}

interface Parts {
  readonly head: string | Uint8Array;
  readonly body: Uint8Array | null;
  readonly tail: string | Uint8Array;
}

function put(place: Place, start: number, { head, body, tail }: Parts): void {
  const { bytes } = place.page;
  place.start = start;
  place.headEnd = copy(head, bytes, start);
  place.bodyEnd = body ? copy(body, bytes, place.headEnd) : place.headEnd;
  place.end = copy(tail, bytes, place.bodyEnd);
}

/** Gives back where it ends. */
function copy(part: string | Uint8Array, bytes: Uint8Array, at: number): number {
  if (part.length === 0) return at;
  if (typeof part === 'string') return at + encoder.encodeInto(part, bytes.subarray(at)).written;
  bytes.set(part, at);
  return at + part.length;
}

export const headOf = ({ page, start, headEnd }: Place): string => decoder.decode(page.bytes.subarray(start, headEnd));
export const tailOf = ({ page, bodyEnd, end }: Place): string => decoder.decode(page.bytes.subarray(bodyEnd, end));
/** A copy, because the page will be written over. */
export const bodyOf = ({ page, headEnd, bodyEnd }: Place): Uint8Array => page.bytes.slice(headEnd, bodyEnd);
