// Everything that a client reported: records and errors.
import { parseTimestamp } from '../contract/timestamps.ts';
import type { Observation, RecordKind } from './cell-run.ts';

/** The requests that show a record. Other formats of other operations can hide what a client reports with it. */
export const shownBy: Readonly<Record<RecordKind, RegExp>> = {
  site: /Site/,
  article: /Article/,
  keyword: /Keyword/,
  account: /listAccounts/,
  review: /listReviews/,
  call: /listCalls/,
};

/** The reports of the client with everything inside them, and the files that it writes undisturbed too. */
export function valuesOf({ seen, files }: Observation, control: Observation): unknown[] {
  const usual = new Set(Object.keys(control.files).map(withoutIds));
  const written = Object.entries(files).flatMap(([name, value]) => (usual.has(withoutIds(name)) ? [value] : []));
  return valuesIn([seen, written]);
}

const withoutIds = (text: string) => text.replace(/[\w-]*\d[\w-]*/g, '');

export function valuesIn(value: unknown): unknown[] {
  const inner = value !== null && typeof value === 'object' ? Object.values(value) : [];
  return [value, ...inner.flatMap(valuesIn)];
}

export function textsOf(observation: Observation, control: Observation): string[] {
  return valuesOf(observation, control).filter((value) => typeof value === 'string');
}

/** Whether the client reported a word or a number that it does not report undisturbed, such as an error. */
export function reportsMore({ seen, files }: Observation, control: Observation): boolean {
  const known = new Set(valuesIn([control.seen, control.files]).flatMap(wordsOf));
  return valuesIn([seen, files]).some((value) => wordsOf(value).some((word) => !known.has(word)));
}

/** Without ids and timestamps, which differ in each test case. */
function wordsOf(value: unknown): unknown[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [value];
  if (typeof value !== 'string') return [];
  const isId = parseTimestamp(value) !== null || value.length > 200;
  return isId ? [] : (value.replace(/\S*\d\S*/g, ' ').match(/[a-z]{3,}/gi) ?? []);
}

/** Whether the client showed an error that it does not show undisturbed. A retry is not an error. */
export function complains({ complaints, startsMs }: Observation, control: Observation): boolean {
  const wordsIn = (all: readonly string[]) =>
    all.filter((line) => !isRetry(line) && !runtimeWarning.test(line)).map((line) => line.replace(/\S*\d\S*/g, ''));
  const known = wordsIn(control.complaints);
  const own = wordsIn(complaints);
  // A job can have more runs than in the control cell.
  return (own.length > known.length && !startsMs) || own.some((line) => !known.includes(line));
}

/** Of Node.js, about the program. */
const runtimeWarning = /^\(node:\d+\) .*Warning: |^\(Use `node --trace-/;

const isRetry = (line: string) =>
  /retry|wait|sleep|back(ing)? off|attempt/i.test(line) &&
  !/giv(e|ing) up|gave up|after \d+ |exhaust|abort/i.test(line);

type Fields = Readonly<Record<string, unknown>>;

/** Numbers and timestamps next to the id of a record, by the place of the record. */
export function recordFields(observation: Observation, control: Observation): Map<string, Fields> {
  const { records: all } = observation;
  const places = new Map<string, string>();
  for (const [kind, ids] of Object.entries(all))
    for (const [i, id] of ids.entries()) if (id) places.set(id, `${kind} ${i}`);
  const fields = new Map<string, Fields>();
  for (const value of valuesOf(observation, control)) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) continue;
    const id = Object.values(value).find((field): field is string => typeof field === 'string' && places.has(field));
    if (id !== undefined) fields.set(places.get(id) ?? '', { ...fields.get(places.get(id) ?? ''), ...value });
  }
  return fields;
}

/** Real time differs between cells by less than ten minutes, and formats by hours. */
const realToleranceMs = 600_000;
const epochMsMin = 1e12;

export function isSameValue(before: unknown, now: unknown, isReal: boolean): boolean {
  if (typeof before === 'number') {
    if (!isReal) return before === now;
    return before < epochMsMin || (typeof now === 'number' && Math.abs(before - now) < realToleranceMs);
  }
  const earlier = typeof before === 'string' ? parseTimestamp(before) : null;
  if (earlier === null) return true;
  const later = typeof now === 'string' ? parseTimestamp(now) : null;
  const apartMs = Math.abs(Number(((later ?? 0n) - earlier) / 1_000_000n));
  return apartMs < (isReal ? realToleranceMs : 1);
}
