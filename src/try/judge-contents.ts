// Mistakes in reported records: damaged texts, values of another account, and numbers that lost something.
import { count } from '../terminal/count.ts';
import type { CellFinding } from './cell.ts';
import type { Observation } from './cell-run.ts';
import { recordFields, textsOf, valuesIn } from './reported.ts';

export function* contents(observation: Observation, control: Observation): Iterable<CellFinding> {
  yield* damagedTexts(observation, control);
  yield* mixedAccounts(observation, control);
  yield* missingStatus(observation, control);
  yield* cutNumbers(observation, control);
  yield* nullAsZero(observation, control);
  yield* longTexts(observation);
  yield* lostRatings(observation, control);
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
  if (observation.cell.about !== 'accounts') return;
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
  if (observation.cell.about !== 'states') return;
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

/** Digits after the point; the last means all of them. */
const precisions = [1, 2, 3, 4, 5, 6, 20] as const;

/** Whether the client wrote a number, rounded to these digits. */
function shows({ numbers }: Observation, value: number, digits: number): boolean {
  return numbers?.has(digits === precisions.at(-1) ? String(value) : value.toFixed(digits)) ?? false;
}

/** Fractions that the client reports as the next lower integer; to round them is a choice. */
function* cutNumbers(observation: Observation, control: Observation): Iterable<CellFinding> {
  if (observation.cell.about !== 'fractions') return;
  const insightsOf = ({ exchanges }: Observation, i: number) => exchanges.flatMap(({ insights }) => insights[i] ?? []);
  const cut = [0, 1].filter((i) => {
    const isShown = insightsOf(control, i).every((value) => shows(control, value, 0));
    const values = insightsOf(observation, i);
    const isKept = values.some((value) => precisions.some((digits) => shows(observation, value, digits)));
    const isRounded = values.every((value) => shows(observation, Math.round(value), 0));
    const isCut = values.length > 1 && values.every((value) => shows(observation, Math.floor(value), 0));
    return isShown && isCut && !isKept && !isRounded;
  });
  if (cut.length === 0) return;
  yield {
    ...{ rule: 'number-cut', severity: 'business', clause: '2.get-insights-output.metrics.total' },
    message: 'Reported numbers of insights without their fractions.',
    correct: 'Keep the fractions: totals and values are numbers, and not integers.',
  };
}

/** An average in which null counts as zero. */
function* nullAsZero(observation: Observation, control: Observation): Iterable<CellFinding> {
  if (observation.cell.about !== 'nulls') return;
  const wrong = (observation.groups ?? []).flatMap(({ clause, values }, i) => {
    const known = values.filter((value) => value !== null);
    const usual = (control.groups?.[i]?.values ?? []).filter((value) => value !== null);
    const means = [sum(usual) / usual.length, sum(known) / known.length, sum(known) / values.length] as const;
    const digits = precisions.findLast((each) => shows(control, means[0], each));
    if (known.length === 0 || digits === undefined) return [];
    const isZero = shows(observation, means[2], digits) && !shows(observation, means[1], digits);
    return isZero ? [{ clause, digits }] : [];
  });
  // With one digit, a number can be there by chance.
  if (wrong.length < 2 && (wrong[0]?.digits ?? 0) < 2) return;
  yield {
    ...{ rule: 'null-as-zero', severity: 'business', clause: wrong[0]?.clause ?? '2.nullable-marked' },
    message: 'Reported an average in which null counts as 0.',
    correct: 'Leave records out of an average whose value is null.',
  };
}

const selections: readonly ((rating: number) => boolean)[] = [
  (rating) => rating <= 2,
  (rating) => rating <= 3,
  (rating) => rating >= 3,
  (rating) => rating >= 4,
];

/** Reviews in a selection by rating, which shows only the accounts of the reviews, that a fraction leaves out. */
function* lostRatings(observation: Observation, control: Observation): Iterable<CellFinding> {
  if (observation.cell.about !== 'ratings') return;
  const ratings = (control.groups ?? []).filter(({ clause }) => clause === '2.review-item.rating').slice(0, -1);
  const countsOf = (one: Observation) => {
    const texts = textsOf(one, control);
    return one.records.account.map((id) => texts.filter((text) => text === id).length);
  };
  const [now, usual] = [countsOf(observation), countsOf(control)];
  const isSelection = selections.some((selects) =>
    ratings.every(({ values }, i) => values.filter((each) => each !== null && selects(each)).length === usual[i]),
  );
  const lost = usual.reduce((total, times, i) => total + Math.max(0, times - (now[i] ?? 0)), 0);
  if (!isSelection || lost === 0) return;
  yield {
    ...{ rule: 'review-lost', severity: 'business', clause: '2.review-item.rating' },
    message: `Left out ${count(lost, 'review')} whose rating is a fraction.`,
    correct: 'Compare ratings as numbers: they can have fractions.',
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const textLimits = {
  replyToReview: ['8.reply-text', 4096],
  createPost: ['8.post-text', 5000],
  createConnectLink: ['8.label', 80],
} as const;

/** A write with a text of the service that is longer than the write allows. */
function* longTexts({ cell, exchanges }: Observation): Iterable<CellFinding> {
  if (cell.about !== 'long-texts') return;
  const rejected = exchanges.find(({ method, status }) => method === 'POST' && status === 400);
  const [clause, most] = textLimits[rejected?.operation as keyof typeof textLimits] ?? [];
  if (!rejected || clause === undefined) return;
  yield {
    ...{ rule: 'text-too-long', severity: 'rule', clause },
    message: `Sent ${rejected.operation} with more than ${most} characters, so it was rejected.`,
    correct: 'Shorten a text of the service before you send it: reviews, titles and names have no limit.',
  };
}
