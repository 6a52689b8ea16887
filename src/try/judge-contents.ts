// Mistakes in reported records: damaged texts, values of another account, and files that lost records.
import { count } from '../terminal/count.ts';
import type { CellFinding } from './cell.ts';
import type { Observation } from './cell-run.ts';
import { recordFields, textsOf, valuesIn } from './reported.ts';

export function* contents(observation: Observation, control: Observation): Iterable<CellFinding> {
  yield* damagedTexts(observation, control);
  yield* mixedAccounts(observation, control);
  yield* missingStatus(observation, control);
  yield* shorterFiles(observation);
}

/** The character that decoders write instead of bytes that are not UTF-8. */
const replacement = '\u{fffd}';

function* damagedTexts(observation: Observation, control: Observation): Iterable<CellFinding> {
  const isDamaged = (one: Observation) => textsOf(one, control).some((text) => text.includes(replacement));
  if (!isDamaged(observation) || isDamaged(control)) return;
  yield {
    ...{ rule: 'text-damaged', severity: 'business', clause: '4.json' },
    message: 'Reported a text in which characters were replaced.',
    correct: 'Decode the body as a whole, or with a decoder that keeps incomplete characters.',
  };
}

const numbersMin = 3;

/** An account with the numbers that another account has undisturbed. */
function* mixedAccounts(observation: Observation, control: Observation): Iterable<CellFinding> {
  if (observation.cell.id !== 'load/uneven') return;
  const [now, usual] = [observation, control].map((one) => numbersByAccount(one, control));
  const mixed = [...(now ?? [])].filter(([place, numbers]) => {
    const isOther = numbers !== usual?.get(place);
    return isOther && [...(usual ?? [])].some(([other, theirs]) => other !== place && theirs === numbers);
  });
  if (mixed.length === 0) return;
  yield {
    ...{ rule: 'account-mixed', severity: 'business', clause: '4.connect.insights.endpoint' },
    message: `Reported the values of another account for ${count(mixed.length, 'account')}.`,
    correct: 'Keep each response with the account of its request: responses can come in another order.',
  };
}

function numbersByAccount(observation: Observation, control: Observation): Map<string, string> {
  const rows = [...recordFields(observation, control)].map(([place, fields]) => {
    const numbers = valuesIn(fields).filter((value) => typeof value === 'number');
    return [place, numbers.length < numbersMin ? '' : JSON.stringify(numbers)] as const;
  });
  return new Map(rows.filter(([place, numbers]) => place.startsWith('account') && numbers !== ''));
}

/** A client that shows accounts of all statuses but one does not know that status. */
function* missingStatus(observation: Observation, control: Observation): Iterable<CellFinding> {
  if (observation.cell.id !== 'refusals/account-states') return;
  const texts = new Set(textsOf(observation, control));
  const added = observation.records.account.slice(control.records.account.length);
  const missing = added.filter((id) => !texts.has(id ?? ''));
  if (missing.length !== 1) return;
  yield {
    ...{ rule: 'status-lost', severity: 'business', clause: '2.list-accounts-output.accounts.status' },
    message: `Left out the account of one status, and showed those of ${added.length - 1} others.`,
    correct: 'Show accounts of each status, and those of a status that the client does not know.',
  };
}

/** A run that failed, and left less than the run before. */
function* shorterFiles({ cell, files, filesBefore, records }: Observation): Iterable<CellFinding> {
  if (!cell.restart?.fault || !filesBefore) return;
  const ids = new Set(Object.values(records).flat());
  const idsIn = (value: unknown) => valuesIn(value).filter((each) => typeof each === 'string' && ids.has(each));
  const shorter = Object.entries(filesBefore).filter(([name, before]) => {
    const now = new Set(idsIn(files[name]));
    return name in files && idsIn(before).some((id) => !now.has(id));
  });
  if (shorter.length === 0) return;
  yield {
    ...{ rule: 'file-shortened', severity: 'business', clause: '4.articles.list.walk' },
    message: `Replaced ${shorter[0]?.[0]} with a part of the records after a page failed.`,
    correct: 'Replace a file after the last page was read.',
  };
}
