// Writes that are carried out twice, in one run or in two, and stored data that a second run damages or keeps too long.
import type { Violation } from '../engine/violations/violation.ts';
import { count } from '../terminal/count.ts';
import type { Cell, CellFinding } from './cell.ts';
import type { Exchange, Observation } from './cell-run.ts';
import { lateArticleId, titleWords } from './matrix-restart.ts';
import { complains, valuesIn } from './reported.ts';

/** A write that was carried out more often than in the control cell. */
export function* repeatedWrites({ cell, exchanges }: Observation, control: Observation): Iterable<CellFinding> {
  const usual = countMade(control.exchanges);
  for (const [print, times] of countMade(exchanges)) {
    if (times <= Math.max(1, usual.get(print) ?? 0)) continue;
    const { operation } = exchanges.find((exchange) => exchange.print === print) ?? {};
    yield {
      ...{ rule: 'write-repeated', severity: 'business', clause: '7.retry.back-off' },
      message: `Sent ${operation} ${count(times, 'time')}, and each was carried out.`,
      correct: isVariation(cell)
        ? 'Send a write once: a 200 says that it was carried out.'
        : 'After a lost or late response, do not send a write again: only 429, 502 and 503 allow a retry.',
    };
    return;
  }
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

/** A job cannot choose when its next run begins: advice instead of an early retry. */
export function earlyNextRun(
  { exchanges, startsMs = [] }: Observation,
  { rule, clause, message, requestIds }: Pick<Violation, 'rule' | 'clause' | 'message' | 'requestIds'>,
): CellFinding | null {
  const [earlierMs = 0, laterMs = 0] = requestIds.slice(-2).map((id) => exchanges.find((each) => each.id === id)?.atMs);
  if (rule !== 'early-retry' || !startsMs.some((ms) => ms > earlierMs && ms <= laterMs)) return null;
  const correct = 'Store the end of the wait, so the next run waits too, or start the job less often.';
  return { rule, clause, severity: 'advice', message, correct };
}

/** A review has one reply. */
export function* secondReplies({ exchanges }: Observation): Iterable<CellFinding> {
  const replies = exchanges.filter(({ operation }) => operation === 'replyToReview');
  const times = Math.max(0, ...countMade(replies).values());
  if (times < 2) return;
  yield {
    ...{ rule: 'write-repeated', severity: 'business', clause: '4.connect.reply.twice' },
    message: `Sent the same reply to a review ${count(times, 'time')}.`,
    correct: 'Reply to each review once.',
  };
}

/** A client that knows a reply by one of two optional fields replies again where the other one says so. */
export function* repliesAgain(all: readonly Observation[]): Iterable<readonly [readonly string[], CellFinding]> {
  const met = all.filter(({ cell }) => cell.about === 'replies');
  const again = met.filter(({ exchanges, answered }) =>
    exchanges.some(({ operation, list }) => {
      const [, id = ''] = /\/reviews\/([^/?]+)\/reply/.exec(list) ?? [];
      return operation === 'replyToReview' && answered?.includes(decodeURIComponent(id));
    }),
  );
  // A client that replies twice to all does so on purpose.
  if (met.length !== 2 || again.length !== 1) return;
  yield [
    again.map(({ cell }) => cell.id),
    {
      ...{ rule: 'write-repeated', severity: 'business', clause: '2.review-item.replied' },
      message: 'Replied to reviews that have a reply.',
      correct: 'Skip a review if replied is true or replyText is there: both fields are optional.',
    },
  ];
}

function countMade(exchanges: readonly Exchange[]): Map<string, number> {
  return tally(exchanges.filter(({ made }) => made).map(({ print }) => print));
}

export function tally(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const mostMade = ({ exchanges }: Observation) => Math.max(0, ...countMade(exchanges).values());

/** Time that a scaled client takes between a response and its next request, in real milliseconds. */
export const reactionMs = 15;

/**
 * Writes that the second run repeats for a page that it reads again, although the first run had their responses: it
 * sent another request later. A write whose response the first run could not have is not judged.
 */
export function* answeredWrites(
  { cell, before, exchanges, ending: end, runs = 1, speed }: Observation,
  usual: Observation,
) {
  const polls = exchanges.filter(({ operation }) => operation === 'listCalls');
  const [first, second] = [exchanges.filter(({ atMs }) => before && atMs < before.atMs), secondRun(before, exchanges)];
  const page = polls.find(
    ({ cursor, since }) => cursor !== null && [first, second].every((run) => run.some((poll) => poll.since === since)),
  );
  // A job with many runs shows whether each of them sends a write on purpose.
  if (!page || (end === 'returned' && runs < 3)) return;
  const [made, usually] = [countMade(second), countMade(usual.exchanges)];
  const repeated = [...countMade(first)].filter(([print, times]) => {
    const write = first.find((exchange) => exchange.made && exchange.print === print && exchange.id > page.id);
    const hadResponse = first.some(({ atMs }) => write && atMs > write.endsMs + reactionMs * (speed ?? 1));
    return hadResponse && [times, made.get(print), usually.get(print) ?? 1].every((each) => each === 1);
  });
  if (repeated.length === 0) return;
  yield {
    ...({ rule: 'write-repeated', severity: 'business', clause: cell.clauses[0] } as const),
    message: `Sent ${count(repeated.length, 'write')} again after the restart, although their responses had arrived.`,
    correct: 'Store each write when its response arrives: after a stop, the client reads the same page of calls again.',
  };
}

/**
 * Writes that two runs carry out, of a client that does not repeat them when nothing fails. The contract does not say
 * whether two runs can work at the same time, or how a client survives a kill: this is advice.
 */
export function* writesOverRuns(all: readonly Observation[]): Iterable<readonly [readonly string[], CellFinding]> {
  const again = all.find(({ cell }) => cell.about === 'second-run');
  if (!again || mostMade(again) > 1) return;
  const repeated = all.filter((each) => each.cell.target === 'write' && each.cell.restart && mostMade(each) > 1);
  for (const finding of findingsOverRuns) {
    const met = repeated.filter(({ cell }) => ruleOverRuns(cell) === finding.rule);
    if (met.length > 0) yield [met.map(({ cell }) => cell.id), finding];
  }
}

const ruleOverRuns = ({ restart }: Cell) =>
  restart?.overlaps ? 'runs-overlap' : restart?.signal === 'SIGKILL' ? 'write-unsure' : 'write-repeated';

const findingsOverRuns: readonly CellFinding[] = [
  {
    ...{ rule: 'write-repeated', severity: 'business', clause: '7.retry.back-off' },
    message: 'Sent a write of the first run again in the second, and both were carried out.',
    correct: 'Store that a write is sent before sending it. A lost response does not mean that the write failed.',
  },
  {
    ...{ rule: 'write-unsure', severity: 'advice', clause: '7.retry.back-off' },
    message: 'Sent a write again after the client was killed before its response, and both were carried out.',
    correct: 'Store that a write is sent before sending it, and let a person decide after a kill.',
  },
  {
    ...{ rule: 'runs-overlap', severity: 'advice', clause: '4.connect.create-post.endpoint' },
    message: 'Sent the same write from two runs at the same time, and both were carried out.',
    correct: 'Let a run end at once while another one is active, for example with a lock.',
  },
];

/** The data of the first run after the second. */
export function* overRuns(observation: Observation, control: Observation): Iterable<CellFinding> {
  if (!observation.before || observation.ending !== 'returned') return;
  yield* repeatedRows(observation);
  yield* oldRecords(observation);
  yield* newRecords(observation, control);
  yield* usedLinks(observation);
}

const secondRun = (before: Observation['before'], exchanges: readonly Exchange[]) =>
  exchanges.filter(({ atMs }) => before && atMs >= before.atMs);

const rowsMin = 5;

/** Rows of an account and a day, which the second run appends again. The ranges of two runs have days in common. */
function* repeatedRows({ cell, before, files, records }: Observation): Iterable<CellFinding> {
  if (cell.about !== 'second-run') return;
  const accounts = new Set(records.account);
  const isPoint = (row: unknown) => {
    const texts = valuesIn(row).filter((each) => typeof each === 'string');
    return texts.some((text) => accounts.has(text)) && texts.some((text) => /^\d{4}-\d\d-\d\d/.test(text));
  };
  const rowsOf = (value: unknown) =>
    tally((Array.isArray(value) ? value : []).filter(isPoint).map((row) => JSON.stringify(row)));
  for (const [name, value] of Object.entries(files)) {
    const [first, now] = [rowsOf(before?.files[name]), rowsOf(value)];
    if (first.size < rowsMin || [...first].some(([row, times]) => times > 1 || now.get(row) !== 2)) continue;
    yield {
      ...{ rule: 'rows-repeated', severity: 'business', clause: '4.connect.insights.range' },
      message: `Appended ${count(first.size, 'row')} to ${name} again in the second run.`,
      correct: 'Replace the values of a day: the ranges of two runs have days in common.',
    };
  }
}

const wordOf = (which: 0 | 1) => new RegExp(`${titleWords[which]}-\\d+-menu`);

/** The second run read the new titles, and printed the old ones. */
function* oldRecords({ cell, before, seen, exchanges }: Observation): Iterable<CellFinding> {
  const printed = JSON.stringify((seen as unknown[]).slice(before?.reports));
  const asked = secondRun(before, exchanges).some(({ operation }) => operation === 'listArticles');
  if (cell.about !== 'changes' || !asked || !wordOf(0).test(printed) || wordOf(1).test(printed)) return;
  yield {
    ...{ rule: 'record-stale', severity: 'business', clause: '2.article.updated-at' },
    message: 'Printed the old titles of all articles in the second run, although they had changed.',
    correct: 'Update the articles that you already have: updatedAt says when an article changed.',
  };
}

/** The second run shows each article but the new one. */
function* newRecords(observation: Observation, control: Observation): Iterable<CellFinding> {
  const { cell, before, seen, files, exchanges, records } = observation;
  const asked = secondRun(before, exchanges).some(({ operation }) => operation === 'listArticles');
  const shown = JSON.stringify([(seen as unknown[]).slice(before?.reports), files]);
  const usual = JSON.stringify([control.seen, control.files]);
  const isComplete = records.article.every((id) => id && shown.includes(id) && usual.includes(id));
  if (cell.about !== 'changes' || !asked || !isComplete || shown.includes(lateArticleId)) return;
  yield {
    ...{ rule: 'article-lost', severity: 'business', clause: '4.articles.list.walk' },
    message: 'Reported neither a new article in the second run nor an error.',
    correct: 'Read all pages in each run: new articles are not always on the first page.',
  };
}

/** The second run prints a link of the first, and creates none. */
function* usedLinks({ cell, before, seen, exchanges }: Observation): Iterable<CellFinding> {
  if (cell.about !== 'used-links') return;
  const [first, second] = [(seen as unknown[]).slice(0, before?.reports), (seen as unknown[]).slice(before?.reports)];
  const linksIn = (value: unknown): readonly string[] => JSON.stringify(value).match(/\b[0-9a-f]{32}\b/g) ?? [];
  const known = linksIn(first);
  const isNew = secondRun(before, exchanges).some(({ made }) => made);
  if (isNew || !linksIn(second).some((link) => known.includes(link))) return;
  yield {
    ...{ rule: 'link-reused', severity: 'business', clause: '3.link.single-use' },
    message: 'Printed a connect link again after it was used.',
    correct: 'Create a link for each customer: a link is single-use.',
  };
}

/** A run that failed, and left less than the run before. */
export function* shorterFiles({ cell, files, before, records }: Observation): Iterable<CellFinding> {
  if (!cell.restart?.fault || !before) return;
  const ids = new Set(Object.values(records).flat());
  const idsIn = (value: unknown) => valuesIn(value).filter((each) => typeof each === 'string' && ids.has(each));
  const shorter = Object.entries(before.files).filter(([name, value]) => {
    const now = new Set(idsIn(files[name]));
    return name in files && idsIn(value).some((id) => !now.has(id));
  });
  if (shorter.length === 0) return;
  yield {
    ...{ rule: 'file-shortened', severity: 'business', clause: '4.articles.list.walk' },
    message: `Replaced ${shorter[0]?.[0]} with a part of the records after a page failed.`,
    correct: 'Replace a file after the last page was read.',
  };
}
