import { expect, it } from 'vitest';
import { sent as exchanges, observe as observed, type Sent } from '../../fixtures/test-kit/observation.ts';
import { plain } from '../terminal/paint.ts';
import { control } from './cell.ts';
import type { CellOptions, Observation } from './cell-run.ts';
import { judge } from './judge.ts';
import { acrossCells } from './judge-patterns.ts';
import { findingsOf } from './judge-row.ts';
import { restartRules } from './judge-runs.ts';
import { lateArticleId } from './matrix-calls.ts';
import { terminalText } from './texts.ts';
import { tryCells } from './try-client.ts';

const articles = ['article-1', 'article-2'];

const observe = (id: string, more: Partial<Observation> = {}) =>
  observed(id, {
    records: { ...observed(id).records, article: articles, account: ['account-1'] },
    before: { files: {}, reports: 1, atMs: 5 },
    ...more,
  });

const rulesOf = (met: Observation) =>
  findingsOf(restartRules, met, observe('control', { seen: [articles] })).map(({ rule }) => rule);
const sent = (...all: Sent[]) => exchanges(...all.map((one) => ({ print: 'a', atMs: 6, ...one })));

const [both, first] = [articles, articles.slice(0, 1)];

it.each([
  ['keeps its records', both, both, []],
  ['loses a record', both, first, ['file-shortened']],
  ['gets a record', first, both, []],
  ['is removed', both, undefined, []],
])('judges a file after a run that failed: it %s', (_, before, now, rules) => {
  const files = now ? { 'articles.json': now } : {};
  const runs = { files, before: { files: { 'articles.json': before }, reports: 0, atMs: 0 } };
  expect(rulesOf(observe('restart/page-401', runs))).toEqual(rules);
});

const points = Array.from({ length: 5 }, (_, i) => ['account-1', 'views', `2026-11-2${i}`]);

it.each([
  ['appended again', [...points, ...points], ['rows-repeated']],
  ['replaced', points, []],
  ['appended for other days', [...points, ['account-1', 'views', '2026-11-27']], []],
  ['appended with the time of the run', [...points, ...points.map((row) => [...row, '06:20:00'])], []],
])('judges rows that are %s', (_, now, rules) => {
  const before = { files: { 'history.csv': points }, reports: 1, atMs: 5 };
  expect(rulesOf(observe('restart/again', { before, files: { 'history.csv': now } }))).toEqual(rules);
});

const all = [...articles, lateArticleId];

it.each([
  ['new titles', [all, 'renewed-0-menu'], []],
  ['old titles', [all, 'early-0-menu'], ['record-stale']],
  ['old and new titles', [all, 'early-0-menu', 'renewed-0-menu'], []],
  ['no new article', [articles, 'renewed-0-menu'], ['article-lost']],
  ['new articles only', [[lateArticleId]], []],
  ['a selection', [first], []],
])('judges a second run that shows %s', (_, now, rules) => {
  const exchanges = sent({ operation: 'listArticles' });
  expect(rulesOf(observe('restart/changed', { seen: ['early-0-menu', ...now], exchanges }))).toEqual(rules);
});

const link = 'b'.repeat(32);

it.each([
  ['prints it again', link, [], ['link-reused']],
  ['prints another', 'c'.repeat(32), sent({ made: true }), []],
  ['prints it again, and another', `${link} ${'c'.repeat(32)}`, sent({ made: true }), []],
  ['prints nothing', '', [], []],
])('judges a client that has a used link: it %s', (_, now, exchanges, rules) => {
  expect(rulesOf(observe('restart/link-used', { seen: [link, now], exchanges }))).toEqual(rules);
});

it.each([
  ['restart/write-lost', 1, ['write-repeated']],
  ['restart/write-lost', 2, []],
  ['restart/write-killed', 1, ['write-unsure']],
  ['restart/overlap', 1, ['runs-overlap']],
])('judges writes of two runs in %s, after %i in undisturbed runs', (id, times, rules) => {
  const made = (many: number) => sent(...Array.from({ length: many }, () => ({ made: true })));
  const met = [observe('restart/again', { exchanges: made(times) }), observe(id, { exchanges: made(2) })];
  expect(acrossCells(met).map(([, { rule }]) => rule)).toEqual(rules);
});

it.each([
  ['had its response', {}, ['write-repeated']],
  ['was killed before its response', { nextMs: 1 }, []],
  ['continues after the page', { since: 'b' }, []],
  ['sends it undisturbed too', { usual: 2 }, []],
  ['is a job that sends it in each run', { later: [10, 70], ending: 'returned', runs: 3 } as const, []],
  ['is a job with many runs', { ending: 'returned', runs: 3 } as const, ['write-repeated']],
])('judges a write that is sent again by a client that %s', (_, given, rules) => {
  const {
    nextMs = 3,
    since = 'a',
    usual = 1,
    later = [10],
    ...more
  } = given as Partial<Observation> & Partial<{ nextMs: number; since: string; usual: number; later: number[] }>;
  const poll = { operation: 'listCalls', cursor: 'b' } as const;
  const write = (atMs: number) => ({ id: 2, made: true, endsMs: 1, print: 'POST', atMs });
  const exchanges = sent(
    ...[{ ...poll, id: 1, since: 'a', atMs: 0 }, write(1), { id: 3, atMs: nextMs }],
    ...[{ ...poll, id: 4, since, atMs: 9 }, ...later.map(write)],
  );
  const met = observe('restart/poll-killed', { exchanges, ending: 'running', speed: 0.1, ...more });
  const control = observe('control', { exchanges: sent(...Array.from({ length: usual }, () => write(1))) });
  expect(findingsOf(restartRules, met, control).map(({ rule }) => rule)).toEqual(rules);
});

const site = { operation: 'listSites', status: 200, disturbed: true } as const;
const scaled = { mode: 'scaled', speed: 20 } as const;

it.each([
  ['a job with files', { 'state.json': {} }, [undefined, 60, 60, undefined], [undefined, undefined, undefined]],
  ['a job without files', {}, [undefined, undefined, undefined], [undefined, 'files', undefined]],
])('starts %s each minute in test cases about polls', async (_, files, everyS, needs) => {
  const given: CellOptions['everyS'][] = [];
  const report = await tryCells(
    async (cell, options) => {
      given.push(options.everyS);
      const disturbed = cell.id !== 'errors/poll-503-once' || options.everyS !== undefined;
      const exchanges = sent({ operation: 'listCalls', disturbed }, { operation: 'listSites', disturbed });
      return { ...observe(cell.id, { files, exchanges }), cell, ...(options.everyS && { startsMs: [0, 60_000] }) };
    },
    { time: scaled, restarts: true, cells: ['errors/poll-503-once', 'errors/read-503-once'] },
  );
  expect(given.sort()).toEqual(everyS.sort());
  expect(report.cells.map((row) => row.needs).sort()).toEqual(needs.sort());
});

it('says that a client did not start in a test case', async () => {
  const report = await tryCells(
    async (cell) => ({ ...observe(cell.id, { exchanges: cell === control ? sent(site) : [] }), cell }),
    { time: scaled, cells: ['formats/plain-type'] },
  );
  expect(report.cells.map(({ needs }) => needs)).toEqual([undefined, 'start']);
});

const ids = ['seconds', 'microseconds', 'zero-offset', 'offset', 'comma'].map((id) => `formats/timestamp-${id}`);

it.each([
  ['shows again in the first', () => true, ids.slice(0, 1), ids],
  [
    'shows again in the last',
    (id: string) => id === ids[4],
    [0, 2, 4].map((i) => ids[i]),
    ids.filter((_, i) => i % 2 === 1 || i === 4),
  ],
  ['does not show again in a sample', (id: string) => id === ids[1], [0, 2, 4, 1].map((i) => ids[i]), [ids[1], ids[3]]],
  ['never shows again', () => false, [0, 2, 4, 1, 3].map((i) => ids[i]), undefined],
])('repeats a violation that %s, at a quarter of the speed', async (_, isShown, repeats, cells) => {
  const asked: string[] = [];
  const report = await tryCells(
    async (cell, { speed }) => {
      if (speed === 5) asked.push(cell.id);
      const ending = cell === control || (speed === 5 && !isShown(cell.id)) ? 'returned' : 'failed';
      return { ...observe(cell.id, { exchanges: sent(site), ending, error: 'TypeError' }), cell };
    },
    { time: scaled, cells: ids, parallel: 1 },
  );
  expect([asked, report.violations[0]?.cells]).toEqual([repeats, cells]);
});

it('says that the run was stopped before all violations were repeated', async () => {
  const stop = new AbortController();
  const report = await tryCells(
    async (cell, { speed }) => {
      if (speed === 5) stop.abort();
      const ending = cell === control ? 'returned' : 'failed';
      return { ...observe(cell.id, { exchanges: sent(site), ending, error: 'TypeError' }), cell };
    },
    { time: scaled, cells: ['formats/plain-type'], signal: stop.signal },
  );
  const text = terminalText(report, plain, () => true);
  expect(text).toMatch(/^Partial result, because the run was stopped. Not all violations were repeated/);
});

it.each([
  ['the same run', undefined, '503: retried 1 of 2 requests after 0.1 s, at most 1 time.'],
  ['the next run', [10, 60], '503: no retries.'],
])('describes a repetition in %s', async (_, startsMs, sentence) => {
  const { dimensions } = await tryCells(
    async (cell) => ({ ...observe(cell.id, { exchanges: sent({ atMs: 10 }, { atMs: 60 }), startsMs }), cell }),
    { time: { mode: 'virtual', speed: null }, cells: ['errors/read-503-always'] },
  );
  expect(dimensions.find(({ id }) => id === 'errors')?.sentence).toBe(sentence);
});

it.each([
  ['delivers it later', [100, 200], []],
  ['never delivers it', [100], ['call-lost']],
])('judges a job that fails after an error, and %s', (_, shown, rules) => {
  const poll = { operation: 'listCalls', status: 200, outcome: '200', sinceMs: 10, disturbed: false } as const;
  const records = { ...observed('control').records, call: ['100', '200'] };
  const run = (id: string, calls: readonly number[], more: Partial<Observation>) =>
    observe(id, {
      ...{ records, callsVisibleMs: [20, 30], startsMs: [10, 60], seen: calls.map(String), ...more },
      exchanges: sent({ ...poll, atMs: 10 }, { ...poll, atMs: 60 }),
    });
  const failed = { ending: 'failed', error: 'status 503', recovers: true, complaints: ['status 503'] } as const;
  const found = judge(run('errors/poll-503-once', shown, failed), run('control', [100, 200], {}));
  expect(found.map(({ rule }) => rule)).toEqual(rules);
});
