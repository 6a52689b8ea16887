// Exactly once over opaque records: the pages that follow each other's cursors join to the sequence of one large page.
// Calls can settle meanwhile, so earlier records only have to be a prefix of later ones.
import { words } from '../../../src/contract/words.ts';
import { areNamed, haveIds, idOf, whyMissing } from '../../exchange/call-fields.ts';
import * as callLog from '../../exchange/call-log.ts';
import { timestampFields } from '../../exchange/call-timestamps.ts';
import { type Exchange, isObstacle, nameOfResponse } from '../../exchange/exchange.ts';
import { type History, labelled } from '../../exchange/history.ts';
import { about, judgeable } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';

interface Node {
  readonly page: callLog.CallPage;
  readonly parent: Node | null;
  readonly root: callLog.CallPage;
  /** How many calls the pages before it have shown. */
  readonly offset: number;
  /** It was read at a position in another form, which calls/since-forms judges. */
  readonly isShifted: boolean;
  isBroken: boolean;
}

/** Of two pages with one cursor, the later one is followed. */
function nodesIn(history: History): Node[] {
  const nodes: Node[] = [];
  const byCursor = new Map<string, Node>();
  const shifted = new Map<string, Node>();
  const others = new Set(labelled(history, callLog.labels.elsewhere).map(({ id }) => id));
  const usual = new Set(callLog.deliveriesIn(history).map(({ exchange }) => exchange.id));
  for (const page of callLog.pagesIn(history)) {
    const { id } = page.exchange;
    if (!usual.has(id) && !others.has(id)) continue;
    const since = page.since ?? '';
    const parent = byCursor.get(since) ?? shifted.get(since) ?? null;
    const offset = parent === null ? 0 : parent.offset + parent.page.calls.length;
    const node = { page, parent, root: parent?.root ?? page, offset, isShifted: others.has(id), isBroken: false };
    nodes.push(node);
    if (page.nextCursor === null || page.calls.length === 0) continue;
    byCursor.set(page.nextCursor, node);
    const other = callLog.withOffset(page.nextCursor);
    if (other !== null) shifted.set(other, node);
  }
  return nodes;
}

/** The calls that pages from one position should join to, and the page that shows them. */
type Whole = { readonly page: callLog.CallPage; readonly calls: readonly callLog.Marked[] };

/** Of the largest page so far, and the largest one after it; null if the pages themselves are these. */
function wholeOf({ root, parent }: Node, largest: ReadonlyMap<string | null, callLog.CallPage>): Whole | null {
  const page = largest.get(root.since);
  if (page === undefined || (page === root && parent !== null)) return null;
  const next = page.nextCursor === null ? undefined : largest.get(page.nextCursor);
  return { page, calls: [...page.seen, ...(next?.seen ?? [])] };
}

const exactlyOnce: Judged = {
  id: 'calls/exactly-once',
  title: 'The call log returns each call exactly once, for every page size',
  clauses: ['4.calls.exactly-once', '4.calls.oldest-first', '4.calls.next-cursor-string', '4.calls.since'],
  scenarios: words('calls/listing calls/log calls/cut calls/exact-page calls/small-pages calls/kept-position'),
  *judge(history) {
    if (callLog.gateIn(history)?.isOpen === false) {
      yield { doubt: 'precondition', message: 'blocked by calls/re-read' };
      return;
    }
    const largest = new Map<string | null, callLog.CallPage>();
    let [easy, ties]: [Judgment | null, number] = [null, 0];
    for (const node of nodesIn(history)) {
      const { page, parent, offset } = node;
      node.isBroken = parent?.isBroken ?? false;
      const whole = wholeOf(node, largest);
      if ((largest.get(page.since)?.count ?? 0) < page.count) largest.set(page.since, page);
      if (node.isBroken) continue;
      const broken = [...isRepeated(history, node), ...(whole === null ? [] : isBroken(history, node, whole))];
      node.isBroken = broken.length > 0;
      if (!node.isShifted) yield* broken.slice(0, 1);
      if (whole === null || parent === null || offset >= whole.calls.length) continue;
      ties += Number(isTie(whole, offset));
      if (node.isBroken) continue;
      const claim = about(page.exchange, '4.calls.exactly-once', '/data/calls');
      yield { ...claim, ...wordsOf(node, whole), actual: 'as expected', isTrue: true };
      const words = { expected: 'two calls with equal timestamps, for a stricter test', actual: 'no such calls' };
      easy = { ...claim, ...words, severity: 'note' };
    }
    if (easy !== null && ties === 0) yield easy;
    yield* areDistinct(history);
  },
};

const wordsOf = ({ offset }: Node, { page }: Whole) => ({
  expected: `the calls from number ${offset + 1} on of ${page.exchange.id}`,
});

/** No change of the log explains a call that is before the cursor. */
function* isRepeated({ given }: History, { page, parent, offset }: Node): Iterable<Judgment> {
  const before = ancestorsOf(parent).flatMap((one) => one.calls);
  const known = new Set(before.map((call) => idOf(call, given)));
  const repeated = page.calls.map((call) => idOf(call, given)).find((id) => id !== null && known.has(id));
  if (repeated === undefined) return;
  const words = {
    expected: `calls after the first ${offset}`,
    actual: `call ${repeated} again, which is before the cursor`,
  };
  yield { ...about(page.exchange, '4.calls.exactly-once', '/data/calls'), ...words, isTrue: false };
}

/** Calls have no ids to find them by (R34): a difference counts while the large page shows its calls as before. */
function* isBroken(history: History, node: Node, whole: Whole): Iterable<Judgment> {
  const { page, offset } = node;
  const wanted = whole.calls.slice(offset);
  const at = page.seen.findIndex((seen, index) => index < wanted.length && !callLog.isSame(seen, wanted[index]));
  if (at < 0 && (page.calls.length > 0 || wanted.length === 0)) return;
  const claim = {
    ...about(page.exchange, '4.calls.exactly-once', '/data/calls'),
    ...wordsOf(node, whole),
    of: [page.exchange],
    witness: whole.page.exchange,
    isShownIn: callLog.showsInRow(whole.page.seen, history),
    isTrue: false,
  } as const;
  const marks = ancestorsOf(node)
    .flatMap((one) => one.marks)
    .slice(0, whole.calls.length);
  const known = whole.calls.map(({ mark }) => mark);
  if (at >= 0 && [...marks].sort().join() === known.slice(0, marks.length).sort().join()) {
    const actual = `the same calls in another order from call ${offset + at + 1} on`;
    yield { ...claim, clause: '4.calls.oldest-first', actual };
  } else yield { ...claim, actual: describeBreak(history, { node, whole, marks, at: at < 0 ? -1 : offset + at }) };
}

/** A recording can have thousands of pages in a row. */
const ancestorsMax = 20;

function ancestorsOf(node: Node | null): callLog.CallPage[] {
  const pages: callLog.CallPage[] = [];
  for (let one = node; one !== null && pages.length < ancestorsMax; one = one.parent) pages.push(one.page);
  return pages.toReversed();
}

function isTie({ calls }: Whole, place: number): boolean {
  return timestampFields(calls.map(({ call }) => call)).some(
    ({ timestamps }) => timestamps[place] !== undefined && timestamps[place - 1] === timestamps[place],
  );
}

interface Break {
  readonly node: Node;
  readonly whole: Whole;
  readonly marks: readonly string[];
  /** Negative if calls are missing. */
  readonly at: number;
}

function describeBreak({ given }: History, { node, whole, marks: joined, at }: Break): string {
  const { page, parent, offset } = node;
  const marks = whole.calls.map(({ mark }) => mark);
  const nameOf = (place: number) => {
    const id = idOf(whole.calls[place]?.call, given);
    return `call ${place + 1}${id === null ? '' : ` (${id})`}`;
  };
  if (at < 0) return `${nameOf(offset)} and all later calls left out: no call after the cursor of call ${offset}`;
  if (parent === null) return `limit ${page.limit} begins with other calls than limit ${whole.page.limit}`;
  const pages = `between ${parent.page.exchange.id} and ${page.exchange.id}`;
  const isCut = at === offset && isTie(whole, offset);
  const where = isCut
    ? `${pages}: calls ${offset} and ${offset + 1} share a timestamp`
    : `${pages}, after call ${offset}`;
  const found = marks.indexOf(joined[at] ?? '');
  if (found >= 0 && found < at) return `${nameOf(found)} again ${where}`;
  if (found < at) return `a call that the large page lacks, ${where}`;
  const last = found - at > 1 ? ` to ${nameOf(found - 1)}` : '';
  return `${nameOf(at)}${last} left out ${where}`;
}

/** Equal records can be different calls, unless the user or their content identifies them. */
function* areDistinct(history: History): Iterable<Judgment> {
  const log = callLog.logIn(history);
  if (log === null) return;
  const { head, chain } = log;
  const pages = chain[0] === head ? chain : [head];
  const calls = pages.flatMap((page) => page.calls);
  const { callIdField } = history.given;
  const why = callIdField === null ? null : whyMissing('--call-id-field', callIdField, calls);
  if (why !== null) yield { doubt: 'precondition', message: why };
  if (!areNamed(calls, history.given) && !haveIds(calls)) return;
  const marks = pages.flatMap((page) => page.marks);
  const twice = marks.findIndex((mark, index) => marks.indexOf(mark) < index);
  const actual = twice < 0 ? 'as expected' : `call ${marks.indexOf(marks[twice] ?? '') + 1} again as call ${twice + 1}`;
  const claim = about(head.exchange, '4.calls.exactly-once', '/data/calls');
  yield { ...claim, expected: 'each id once on all pages', actual, isTrue: twice < 0 };
}

const position = (history: History, since: string, limit: number | null) =>
  callLog.pagesIn(history).find((page) => page.since === since && page.limit === limit);

const sinceForms: Judged = {
  id: 'calls/since-forms',
  title: 'The call log accepts since in other forms of ISO 8601',
  clauses: ['4.calls.since'],
  scenarios: ['calls/listing', 'calls/log', 'calls/cut', 'calls/small-pages'],
  *judge(history) {
    const log = callLog.logIn(history);
    if (log === null) return;
    for (const exchange of labelled(history, callLog.labels.elsewhere)) {
      const { position: since, known, limit } = callLog.cutOf(log);
      const usual = position(history, since, limit);
      const form = { exchange, expected: `the same calls as for since=${since}`, usual };
      const other = callLog.pageOf(exchange, history.given);
      const isNext = other !== null && other.count > 0 && callLog.areFirstOf([...known, ...other.seen], log.head.seen);
      const isRead = isNext || (other !== null && usual !== undefined && isReadAs(other, usual, log.head));
      yield* isForm(history, { ...form, isRead: isRead && !isReadEarlier(history, log.head), actual: 'other calls' });
    }
    for (const exchange of labelled(history, callLog.labels.seconds)) {
      const seen = callLog.pageOf(exchange, history.given)?.seen ?? [];
      const isRead = seen.length > 0 && callLog.areFirstOf(seen, log.head.seen);
      const form = { exchange, expected: `the same as ${log.first.exchange.id}`, usual: log.first };
      if (log.first.count > 0) yield* isForm(history, { ...form, isRead, actual: 'another first call, or none' });
    }
  },
};

/** A time that is not a cursor can be inclusive (R35), from the first call. */
function isReadAs(other: callLog.CallPage, page: callLog.CallPage, head: callLog.CallPage): boolean {
  const isEqual = callLog.areFirstOf(other.seen, page.seen) && callLog.areFirstOf(page.seen, other.seen);
  return isEqual || (other.calls.length > 0 && callLog.areFirstOf(other.seen, head.seen));
}

/** Calls before the last position, which the same time with the offset zero does not return: an inclusive one can. */
function isReadEarlier(history: History, head: callLog.CallPage): boolean {
  const [shifted, zero] = [callLog.labels.lastElsewhere, callLog.labels.lastZero].map(
    (label) => callLog.pageOf(labelled(history, label).at(-1) ?? head.exchange, history.given) ?? head,
  );
  const [mark = ''] = shifted === head ? [] : (shifted?.marks ?? []);
  return head.marks.includes(mark) && zero !== undefined && !zero.marks.includes(mark);
}

interface Form {
  readonly exchange: Exchange;
  readonly isRead: boolean;
  readonly expected: string;
  readonly actual: string;
  readonly usual: callLog.CallPage | undefined;
}

/** R8: the form that the server writes may be the only one that it reads; read as another time, it fails (R67). */
function* isForm(history: History, { exchange, isRead, usual, ...words }: Form): Iterable<Judgment> {
  const claim = { ...about(exchange, '4.calls.since', '/data/calls'), ...words };
  if (!(yield* judgeable(history, exchange))) return;
  if (isObstacle(exchange)) yield { doubt: 'platform', message: `the call log returned ${nameOfResponse(exchange)}` };
  else if (exchange.status !== 200) yield { ...claim, actual: nameOfResponse(exchange), severity: 'warn' };
  else if (isRead || usual === undefined) yield { ...claim, isTrue: isRead };
  else {
    // The log can change between the two reads (interpretation R59).
    const confirmed = { witness: usual.exchange, isShownIn: callLog.showsInRow(usual.seen, history) };
    yield { ...claim, ...confirmed, isTrue: false, of: [exchange] };
  }
}

export const callSequence: readonly Judged[] = [exactlyOnce, sinceForms];
