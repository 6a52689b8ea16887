// Writes that are carried out twice, in one run or in two, and stored data that a second run damages or keeps too long.
import { count } from '../terminal/count.ts';
import type { Cell } from './cell.ts';
import { type Exchange, type Observation, reactionMs } from './cell-run.ts';
import type { RuleRow } from './judge-row.ts';
import { lateArticleId, titleWords } from './matrix-calls.ts';
import { complains, valuesIn } from './reported.ts';

/** Writes and data of the first run after the second. */
// biome-ignore format: one row a rule
export const restartRules: readonly RuleRow[] = [
  ['write-repeated', 'business', null, answeredWrite,
    'Store each write when its response arrives: after a stop, the client reads the same page of calls again.'],
  ['file-shortened', 'business', '4.articles.list.walk', shorterFile, 'Replace a file after the last page was read.'],
  ['rows-repeated', 'business', '4.connect.insights.range', repeatedRows,
    'Replace the values of a day: the ranges of two runs have days in common.'],
  ['record-stale', 'business', '2.article.updated-at', oldRecords,
    'Update the articles that you already have: updatedAt says when an article changed.'],
  ['article-lost', 'business', '4.articles.list.walk', newRecords,
    'Read all pages in each run: new articles are not always on the first page.'],
  ['link-reused', 'business', '3.link.single-use', usedLinks,
    'Create a link for each customer: a link is single-use.'],
];

/** A write that was carried out more often than in the control cell. */
export function repeatedWrite({ cell, exchanges }: Observation, control: Observation) {
  const usual = countMade(control.exchanges);
  for (const [print, times] of countMade(exchanges)) {
    if (times <= Math.max(1, usual.get(print) ?? 0)) continue;
    const { operation } = exchanges.find((exchange) => exchange.print === print) ?? {};
    const message = `Sent ${operation} ${count(times, 'time')}, and each was carried out.`;
    const correct = 'Send a write once: a 200 says that it was carried out.';
    return isVariation(cell) ? { message, correct } : message;
  }
  return null;
}

/** A review has one reply. */
export function secondReply({ exchanges }: Observation) {
  const replies = exchanges.filter(({ operation }) => operation === 'replyToReview');
  const times = Math.max(0, ...countMade(replies).values());
  return times > 1 && `Sent the same reply to a review ${count(times, 'time')}.`;
}

/** Whether nothing fails in a cell. */
export function isVariation({ dimension, fault }: Cell): boolean {
  return ['formats', 'pages', 'calls'].includes(dimension) && fault === undefined;
}

/** Whether the client works on as in the control cell, and shows no error. */
export function continues(observation: Observation, control: Observation): boolean {
  if (recoversByRetry(observation)) return true;
  return observation.ending === control.ending && !complains(observation, control);
}

/** Whether a job failed in a run because of an error of the service, and succeeded later. */
export function recoversByRetry({ cell, recovers }: Observation): boolean {
  return recovers === true && !isVariation(cell);
}

/** Whether the client, which is still running, did nothing after a disturbed request. */
export function stops({ ending: end, exchanges }: Observation, control: Observation): boolean {
  const last = exchanges.at(-1);
  return (
    end === 'running' &&
    exchanges.length < control.exchanges.length &&
    last?.disturbed === true &&
    last.outcome !== '200'
  );
}

function countMade(exchanges: readonly Exchange[]): Map<string, number> {
  return tally(exchanges.filter(({ made }) => made).map(({ print }) => print));
}

export function tally(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

export const mostMade = ({ exchanges }: Observation) => Math.max(0, ...countMade(exchanges).values());

/**
 * Writes that the second run repeats for a page that it reads again, although the first run had their responses: it
 * sent another request later. A write whose response the first run could not have is not judged.
 */
function answeredWrite({ before, exchanges, ending: end, runs = 1, speed }: Observation, usual: Observation) {
  const polls = exchanges.filter(({ operation }) => operation === 'listCalls');
  const [first, second] = [exchanges.filter(({ atMs }) => before && atMs < before.atMs), secondRun(before, exchanges)];
  const page = polls.find(
    ({ cursor, since }) => cursor !== null && [first, second].every((run) => run.some((poll) => poll.since === since)),
  );
  // A job with many runs shows whether each of them sends a write on purpose.
  if (!page || (end === 'returned' && runs < 3)) return null;
  const [made, usually] = [countMade(second), countMade(usual.exchanges)];
  const repeated = [...countMade(first)].filter(([print, times]) => {
    const write = first.find((exchange) => exchange.made && exchange.print === print && exchange.id > page.id);
    const hadResponse = first.some(({ atMs }) => write && atMs > write.endsMs + reactionMs * (speed ?? 1));
    return hadResponse && [times, made.get(print), usually.get(print) ?? 1].every((each) => each === 1);
  });
  const sent = count(repeated.length, 'write');
  return repeated.length > 0 && `Sent ${sent} again after the restart, although their responses had arrived.`;
}

const secondRun = (before: Observation['before'], exchanges: readonly Exchange[]) =>
  exchanges.filter(({ atMs }) => before && atMs >= before.atMs);

/** The output of each of two runs. */
const printedIn = ({ seen, before }: Observation) =>
  [(seen as unknown[]).slice(0, before?.reports), (seen as unknown[]).slice(before?.reports)] as const;

/** Whether the second run ended, and is that of a test case about this. */
const hasTwoRuns = ({ cell, before, ending: end }: Observation, about: Cell['about']) =>
  before && end === 'returned' && cell.about === about;

const rowsMin = 5;

/** Rows of an account and a day, which the second run appends again. The ranges of two runs have days in common. */
function repeatedRows(met: Observation) {
  const accounts = new Set(met.records.account);
  const isPoint = (row: unknown) => {
    const texts = valuesIn(row).filter((each) => typeof each === 'string');
    return texts.some((text) => accounts.has(text)) && texts.some((text) => /^\d{4}-\d\d-\d\d/.test(text));
  };
  const rowsOf = (value: unknown) =>
    tally((Array.isArray(value) ? value : []).filter(isPoint).map((row) => JSON.stringify(row)));
  for (const [name, value] of hasTwoRuns(met, 'second-run') ? Object.entries(met.files) : []) {
    const [first, now] = [rowsOf(met.before?.files[name]), rowsOf(value)];
    const isAppended = [...first].every(([row, times]) => times === 1 && now.get(row) === 2);
    if (first.size >= rowsMin && isAppended)
      return `Appended ${count(first.size, 'row')} to ${name} again in the second run.`;
  }
  return null;
}

const wordOf = (which: 0 | 1) => new RegExp(`${titleWords[which]}-\\d+-menu`);

const readsChanges = (met: Observation) =>
  hasTwoRuns(met, 'changes') &&
  secondRun(met.before, met.exchanges).some(({ operation }) => operation === 'listArticles');

/** The second run read the new titles, and printed the old ones. */
function oldRecords(met: Observation) {
  const printed = JSON.stringify(printedIn(met)[1]);
  const isOld = readsChanges(met) && wordOf(0).test(printed) && !wordOf(1).test(printed);
  return isOld && 'Printed the old titles of all articles in the second run, although they had changed.';
}

/** The second run shows each article but the new one. */
function newRecords(met: Observation, control: Observation) {
  const shown = JSON.stringify([printedIn(met)[1], met.files]);
  const usual = JSON.stringify([control.seen, control.files]);
  const isComplete = met.records.article.every((id) => id && shown.includes(id) && usual.includes(id));
  const isLost = readsChanges(met) && isComplete && !shown.includes(lateArticleId);
  return isLost && 'Reported neither a new article in the second run nor an error.';
}

/** The second run prints a link of the first, and creates none. */
function usedLinks(met: Observation) {
  if (!hasTwoRuns(met, 'used-links')) return null;
  const linksIn = (value: unknown): readonly string[] => JSON.stringify(value).match(/\b[0-9a-f]{32}\b/g) ?? [];
  const [known, now] = printedIn(met).map(linksIn) as [readonly string[], readonly string[]];
  const isNew = secondRun(met.before, met.exchanges).some(({ made }) => made);
  return !isNew && now.some((link) => known.includes(link)) && 'Printed a connect link again after it was used.';
}

/** A run that failed, and left less than the run before. */
function shorterFile({ cell, files, before, records }: Observation) {
  if (!cell.restart?.fault || !before) return null;
  const ids = new Set(Object.values(records).flat());
  const idsIn = (value: unknown) => valuesIn(value).filter((each) => typeof each === 'string' && ids.has(each));
  const isShorter = ([name, value]: [string, unknown]) => {
    const now = new Set(idsIn(files[name]));
    return name in files && idsIn(value).some((id) => !now.has(id));
  };
  const shorter = Object.entries(before.files).find(isShorter);
  return shorter && `Replaced ${shorter[0]} with a part of the records after a page failed.`;
}
