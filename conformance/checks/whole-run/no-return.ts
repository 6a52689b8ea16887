// A record that is shown before and after a response is in that response too: a deletion explains that it disappears,
// but only a stale replica or a cache explains that it returns (interpretation R59). Whole lists, walks from page to
// page and reads by id are compared with each other.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { parseTimestamp } from '../../../src/contract/timestamps.ts';
import { type History, ofKey, precedes } from '../../exchange/history.ts';
import { kinds, type RecordKind, type Sighting, sightingsOf, type View, viewsOf } from '../../exchange/shown.ts';
import { about } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { judgeValues, valueClauses } from '../../judge/values.ts';

const accounts = '4.connect.list-accounts.content';
const clauseOf = {
  site: { list: '4.sites.list', byId: '4.sites.get.endpoint' },
  article: { list: '4.articles.list.walk', byId: '4.articles.get.endpoint' },
  keyword: { list: '4.keywords.list.of-site', byId: '4.keywords.list.of-site' },
  account: { list: accounts, byId: accounts },
  invite: { list: accounts, byId: accounts },
  review: { list: '4.rules.reviews-walk', byId: '4.rules.reviews-walk' },
} as const satisfies Record<RecordKind, Readonly<Record<'list' | 'byId', ClauseId>>>;

export const noReturn: Judged = {
  id: 'lists/no-return',
  title: 'Records do not disappear and reappear',
  clauses: [
    '4.sites.list',
    '4.sites.get.endpoint',
    '4.articles.list.walk',
    '4.articles.get.endpoint',
    '4.connect.list-accounts.content',
    '4.keywords.list.of-site',
    '4.rules.reviews-walk',
    ...valueClauses,
  ],
  scenarios: ['lists/again', 'lists/third-read'],
  *judge(history) {
    let isSeen = false;
    for (const key of ['good', 'second'] as const) {
      for (const name of Object.keys(kinds) as RecordKind[]) {
        for (const judgment of judgeKind(history, key, name)) {
          isSeen = true;
          yield judgment;
        }
      }
    }
    // Values of recorded traffic can change and change back between two visits.
    const values = history.isRecorded ? [] : [...judgeValues(history)];
    yield* values;
    if (!isSeen && values.length === 0)
      yield { doubt: 'vacuous', message: 'needs a record that is shown before and after a list' };
  },
};

type Shown = readonly [Sighting, ...Sighting[]];

function* judgeKind(history: History, key: 'good' | 'second', name: RecordKind): Iterable<Judgment> {
  const exchanges = ofKey(history, key);
  const all = sightingsOf(exchanges, name);
  // Without a list that shows a record, its id comes from elsewhere.
  const known = new Map([...all].filter(([, shown]) => shown.some(({ isListed }) => isListed))) as Map<string, Shown>;
  const { rows: pointer } = kinds[name];
  for (const view of viewsOf(exchanges, name)) {
    const { pages, only } = view;
    const last = pages.at(-1) ?? pages[0];
    const clause = clauseOf[name][only === undefined ? 'list' : 'byId'];
    const place = only === undefined ? about(last, clause, pointer) : about(last, clause, '#status');
    const usual = { ...place, expected: only === undefined ? 'every record that is shown before and after' : '200' };
    const around = [...known].filter(([id, shown]) => isAround(view, id, shown));
    const missing = around.filter(([id]) => !view.rows.has(id));
    const clear = missing.find(([, [{ row }]]) => !isTied(view, row)) ?? missing[0];
    if (clear === undefined && around.length > 0) yield { ...usual, isTrue: true, actual: 'every one' };
    if (clear === undefined) {
      yield* judgeLater(history, { view, known, usual });
      continue;
    }
    const [id, shown] = clear;
    const actual = `${view.only === undefined ? `${wordsOf(view)} without ${id}` : `404 for ${id}`}, which ${witnesses(shown)} show`;
    const message = 'records of one timestamp can be lost at the edge of a page (R17)';
    // A review can move to an earlier page while they are read, so all of them are read again.
    const again = { of: pages, witness: shown.at(-1)?.exchange ?? last };
    if (isTied(view, shown[0].row)) yield { ...usual, isTrue: false, severity: 'warn', actual, message };
    else yield { ...usual, isTrue: false, actual, ...(name === 'review' && pages.length > 1 ? again : {}) };
  }
}

const wordsOf = ({ pages }: View) => (pages.length === 1 ? 'a list' : `a walk of ${pages.length} pages`);
const witnesses = (shown: Shown) => `${shown[0].exchange.id} and ${shown.at(-1)?.exchange.id}`;

function isAround({ pages, scope, only }: View, id: string, shown: Shown): boolean {
  const [before, after] = [shown[0], shown.at(-1) ?? shown[0]];
  const isNamed = only === undefined ? scope === '' : before.row.id === only && after.row.id === only;
  const isOf = isNamed || (only === undefined && before.scope === scope && after.scope === scope);
  const end = pages.at(-1) ?? pages[0];
  return isOf && id !== '' && precedes(before.exchange, pages[0]) && precedes(end, after.exchange);
}

const timeOf = ({ createdAt }: Sighting['row']) => (typeof createdAt === 'string' ? parseTimestamp(createdAt) : null);

/** Records of one timestamp cannot be distinguished by a timestamp cursor (interpretation R17). */
function isTied({ edges }: View, row: Sighting['row']): boolean {
  const own = timeOf(row);
  return own !== null && edges.some((edge) => timeOf(edge) === own);
}

interface Compared {
  readonly view: View;
  readonly known: ReadonlyMap<string, Shown>;
  readonly usual: ReturnType<typeof about> & { readonly expected: string };
}

/** Fewer responses might be those of one stale instance. */
const laterMin = 2;

/** An article that only later responses show is new, unless it is older than others of the walk. */
function* judgeLater({ isRecorded }: History, { view, known, usual }: Compared): Iterable<Judgment> {
  const { pages, rows, scope } = view;
  const end = pages.at(-1) ?? pages[0];
  const newest = [...rows.values()]
    .map(timeOf)
    .reduce((most, at) => (at !== null && (most === null || at > most) ? at : most), null);
  const late = [...known].find(([id, shown]) => {
    const createdAt = timeOf(shown[0].row);
    const isOf = scope === '' || shown[0].scope === scope;
    const isOld = newest !== null && createdAt !== null && createdAt < newest && !isTied(view, shown[0].row);
    return isOf && isOld && !rows.has(id) && shown.length >= laterMin && precedes(end, shown[0].exchange);
  });
  if (late === undefined || view.only !== undefined) return;
  const [id, shown] = late;
  const actual = `${wordsOf(view)} without ${id}, which is older than others of it, and which ${witnesses(shown)} show`;
  if (isRecorded) yield { doubt: 'interference', message: `${end.id} ends ${actual}` };
  else
    yield {
      ...usual,
      isTrue: false,
      severity: 'warn',
      actual,
      message: 'no failure, because it can have been restored',
    };
}
