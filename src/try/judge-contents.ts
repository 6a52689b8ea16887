// Mistakes in reported records: damaged texts, values of another account, and numbers that lost something.
import { count } from '../terminal/count.ts';
import type { Observation } from './cell-run.ts';
import type { RuleRow } from './judge-row.ts';
import { isSameValue, recordFields, textsOf, valuesIn } from './reported.ts';

// biome-ignore format: one row a rule
export const contentRules: readonly RuleRow[] = [
  ['value-changed', 'business', null, changedValue, 'Read every ISO 8601 date-time, with its offset.'],
  ['text-damaged', 'business', '4.json', damagedText,
    'Decode the body as a whole, or with a decoder that keeps incomplete characters.'],
  ['account-mixed', 'business', '4.connect.insights.endpoint', mixedAccounts,
    'Keep each response with the account of its request: responses can come in another order.'],
  ['status-lost', 'business', '2.list-accounts-output.accounts.status', missingStatus,
    'Show accounts of each status, and those of a status that the client does not know.'],
  ['number-cut', 'business', '2.get-insights-output.metrics.total', cutNumbers,
    'Keep the fractions: totals and values are numbers, and not integers.'],
  ['null-as-zero', 'business', null, nullAsZero, 'Leave records out of an average whose value is null.'],
  ['text-too-long', 'rule', null, longText,
    'Shorten a text of the service before you send it: reviews, titles and names have no limit.'],
  ['review-lost', 'business', '2.review-item.rating', lostRatings,
    'Compare ratings as numbers: they can have fractions.'],
];

/** Numbers and timestamps that the client read from the same records, in another format. */
function changedValue(met: Observation, control: Observation): string | null {
  const usual = met.cell.sameValues ? recordFields(control, control) : new Map();
  for (const [place, fields] of usual.size > 0 ? recordFields(met, control) : [])
    for (const [name, value] of Object.entries(fields)) {
      const before = usual.get(place)?.[name];
      if (before !== undefined && !isSameValue(before, value, met.speed !== null))
        return `Read ${name} as ${JSON.stringify(value)}; it is ${JSON.stringify(before)}.`;
    }
  return null;
}

/** The character that decoders write instead of bytes that are not UTF-8. */
const replacement = '\u{fffd}';

function damagedText(met: Observation, control: Observation): string | false {
  const isDamaged = (one: Observation) => textsOf(one, control).some((text) => text.includes(replacement));
  return isDamaged(met) && !isDamaged(control) && 'Reported a text in which characters were replaced.';
}

const numbersMin = 3;

/** An account with the numbers that another account has undisturbed. */
function mixedAccounts(met: Observation, control: Observation): string | false {
  if (met.cell.about !== 'accounts') return false;
  const usual = numbersByAccount(control, control);
  const isOfOther = (place: string, numbers: string) =>
    numbers !== usual.get(place) && [...usual].some(([other, theirs]) => other !== place && theirs === numbers);
  const mixed = [...numbersByAccount(met, control)].filter(([place, numbers]) => isOfOther(place, numbers));
  return mixed.length > 0 && `Reported the values of another account for ${count(mixed.length, 'account')}.`;
}

function numbersByAccount(met: Observation, control: Observation): Map<string, string> {
  const rows = [...recordFields(met, control)].map(([place, fields]) => {
    const numbers = valuesIn(fields).filter((value) => typeof value === 'number');
    return [place, numbers.length < numbersMin ? '' : JSON.stringify(numbers)] as const;
  });
  return new Map(rows.filter(([place, numbers]) => place.startsWith('account') && numbers !== ''));
}

/** A client that shows accounts of all statuses but one does not know that status. */
function missingStatus(met: Observation, control: Observation): string | false {
  if (met.cell.about !== 'states') return false;
  const texts = new Set(textsOf(met, control));
  const added = met.records.account.slice(control.records.account.length);
  const missing = added.filter((id) => !texts.has(id ?? ''));
  return missing.length === 1 && `Left out the account of one status, and showed those of ${added.length - 1} others.`;
}

/** Digits after the point; the last means all of them. */
const precisions = [1, 2, 3, 4, 5, 6, 20] as const;

/** Whether the client wrote a number, rounded to these digits. */
function shows({ numbers }: Observation, value: number, digits: number): boolean {
  return numbers?.has(digits === precisions.at(-1) ? String(value) : value.toFixed(digits)) ?? false;
}

/** Fractions that the client reports as the next lower integer; to round them is a choice. */
function cutNumbers(met: Observation, control: Observation): string | false {
  if (met.cell.about !== 'fractions') return false;
  const insightsOf = ({ exchanges }: Observation, i: number) => exchanges.flatMap(({ insights }) => insights[i] ?? []);
  const isCut = [0, 1].some((i) => {
    const values = insightsOf(met, i);
    const isShown = insightsOf(control, i).every((value) => shows(control, value, 0));
    const isKept = values.some((value) => precisions.some((digits) => shows(met, value, digits)));
    const isRounded = values.every((value) => shows(met, Math.round(value), 0));
    return (
      isShown && !isKept && !isRounded && values.length > 1 && values.every((each) => shows(met, Math.floor(each), 0))
    );
  });
  return isCut && 'Reported numbers of insights without their fractions.';
}

/** An average in which null counts as zero. */
function nullAsZero(met: Observation, control: Observation) {
  if (met.cell.about !== 'nulls') return null;
  const wrong = (met.groups ?? []).flatMap(({ clause, values }, i) => {
    const known = values.filter((value) => value !== null);
    const usual = (control.groups?.[i]?.values ?? []).filter((value) => value !== null);
    const means = [sum(usual) / usual.length, sum(known) / known.length, sum(known) / values.length] as const;
    const digits = precisions.findLast((each) => shows(control, means[0], each));
    if (known.length === 0 || digits === undefined) return [];
    return shows(met, means[2], digits) && !shows(met, means[1], digits) ? [{ clause, digits }] : [];
  });
  const [first] = wrong;
  // With one digit, a number can be there by chance.
  if (!first || (wrong.length < 2 && first.digits < 2)) return null;
  return { clause: first.clause, message: 'Reported an average in which null counts as 0.' };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const selections: readonly ((rating: number) => boolean)[] = [
  (rating) => rating <= 2,
  (rating) => rating <= 3,
  (rating) => rating >= 3,
  (rating) => rating >= 4,
];

/** Reviews in a selection by rating, which shows only the accounts of the reviews, that a fraction leaves out. */
function lostRatings(met: Observation, control: Observation): string | false {
  if (met.cell.about !== 'ratings') return false;
  const ratings = (control.groups ?? []).filter(({ clause }) => clause === '2.review-item.rating').slice(0, -1);
  const countsOf = (one: Observation) => {
    const texts = textsOf(one, control);
    return one.records.account.map((id) => texts.filter((text) => text === id).length);
  };
  const [now, usual] = [countsOf(met), countsOf(control)];
  const isSelection = selections.some((selects) =>
    ratings.every(({ values }, i) => values.filter((each) => each !== null && selects(each)).length === usual[i]),
  );
  const lost = usual.reduce((total, times, i) => total + Math.max(0, times - (now[i] ?? 0)), 0);
  return isSelection && lost > 0 && `Left out ${count(lost, 'review')} whose rating is a fraction.`;
}

const textLimits = {
  replyToReview: ['8.reply-text', 4096],
  createPost: ['8.post-text', 5000],
  createConnectLink: ['8.label', 80],
} as const;

/** A write with a text of the service that is longer than the write allows. */
function longText({ cell, exchanges }: Observation) {
  if (cell.about !== 'long-texts') return null;
  const operation = exchanges.find(({ method, status }) => method === 'POST' && status === 400)?.operation;
  const [clause, most] = textLimits[operation as keyof typeof textLimits] ?? [];
  return clause && { clause, message: `Sent ${operation} with more than ${most} characters, so it was rejected.` };
}
