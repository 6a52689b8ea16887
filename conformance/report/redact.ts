// The one redaction that every output passes. Secrets are taken out by value, e-mail addresses and phone numbers by
// their form, wherever they turn up. Our own words (ids, titles) stay, because a short value of an extra header may
// well be one of them.

import type { BehaviorState } from '../behaviors/observe.ts';
import { type Decoded, decodings } from '../exchange/decoded.ts';
import { oncePer, redactDeep } from '../exchange/history.ts';
import { dataName, isDataName, personalSpans, type Span } from '../exchange/personal.ts';
import { pointerTo, splitPointer } from '../exchange/pointer.ts';
import type { CheckResult, Finding } from '../judge/result.ts';
import type { Report, StoredExchange } from './report.ts';

/** One value that must not leave, with the text that a reader can put back. */
export interface Secret {
  readonly value: string;
  /** The text that takes its place, e.g. `$CONFORMANCE_API_KEY`. */
  readonly placeholder: string;
  /** A key that was spoilt: its encodings hold those of the key itself. */
  readonly isSpoilt?: true;
}

/** Gives back the text with a placeholder for each secret. */
export type Redact = (text: string) => string;

/** Shorter values occur in unrelated text: they are redacted only after `Bearer`. */
const secretCharactersMin = 4;
/** Parts of a short value in base64 would be found everywhere. */
const encodedCharactersMin = 8;
/** A text that was cut may end with the beginning of a secret, which is taken out from this length on. */
const beginningCharactersMin = 8;
/** Quotes and dots that may follow it. */
const marksAfterCutMax = 2000;

interface Needle {
  /** In lower case. */
  readonly text: string;
  readonly placeholder: string;
}

/** Takes every spelling of every secret out of a text, and personal data with them. */
export function makeRedact(secrets: readonly Secret[], others: Find = none): Redact {
  return redactWith(secrets, (rounds) => [...personalSpans(rounds), ...others(rounds)]);
}

/** For a body that the user keeps on purpose: it loses secrets, and nothing of its data. */
export function makeKeyRedact(secrets: readonly Secret[], others: Find = none): Redact {
  return redactWith(secrets, others);
}

type Find = (rounds: readonly Decoded[]) => Span[];

const none: Find = () => [];
const keyForm = /(?<![a-z\d])[a-z\d]{1,12}_[\da-f]{32}(?![a-z\d])/gi;

/** Everything with the form of a key: the keys of a recording without headers are unknown. Cites 5.key-form. */
const anyKeys: Find = (rounds) =>
  rounds.flatMap(({ text, at }) =>
    [...text.matchAll(keyForm)].map(({ 0: key, index }) => {
      return { start: at(index), end: at(index + key.length), placeholder: '<key>' };
    }),
  );

function redactWith(secrets: readonly Secret[], others: Find): Redact {
  const needles = needlesOf(secrets);
  // A value as short as the shortest beginning can only occur as a whole; a spoilt one can be empty.
  const long = secrets.filter(({ value }) => value.length > beginningCharactersMin);
  const whole = long.map(({ value, placeholder }) => ({ text: value.toLowerCase(), placeholder }));
  const short = secrets.filter(({ value }) => value !== '' && value.length < secretCharactersMin);
  return (text) => {
    // Redacts a short value in a header after its scheme, where it cannot be anything else.
    const [, scheme = '', value = ''] = /^(bearer +)(\S+)$/i.exec(text) ?? [];
    const found = short.find((secret) => secret.value === value);
    const afterScheme = found === undefined ? null : `${scheme}${found.placeholder}`;
    if (afterScheme !== null) return afterScheme;
    const rounds = decodings(text);
    const spans = apart([...spansIn(rounds, needles, whole), ...others(rounds)]);
    if (spans.length === 0) return text;
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, placeholder } of spans) {
      parts.push(text.slice(from, start), placeholder);
      from = end;
    }
    return [...parts, text.slice(from)].join('');
  };
}

/** The placeholders of the secrets that a text holds in any spelling. */
export function makeFinder(secrets: readonly Secret[]): (text: string) => string[] {
  const needles = needlesOf(secrets);
  return (text) => [...new Set(apart(spansIn(decodings(text), needles, [])).map(({ placeholder }) => placeholder))];
}

/** Longer ones first: a spoilt key holds most of the key. */
function needlesOf(secrets: readonly Secret[]): Needle[] {
  const needles = secrets.flatMap((secret) =>
    spellingsOf(secret).map((text) => ({ text: text.toLowerCase(), placeholder: secret.placeholder })),
  );
  return needles.filter(({ text }) => text.length >= secretCharactersMin).sort((a, b) => b.text.length - a.text.length);
}

/** The value unchanged, backwards, in hex and in base64, also within a longer text. Escapes are decoded elsewhere. */
function spellingsOf({ value, isSpoilt }: Secret): string[] {
  // Without prefix and last character: the part that a key shares with its spoilt forms.
  const core = value.replace(/^[a-z]+_/i, '').slice(0, -1);
  if (isSpoilt || core.length < encodedCharactersMin) return [value];
  const withReversed = (text: string) => [text, [...text].reverse().join('')];
  const forms = [value, core].flatMap(withReversed);
  // An id that a check alters has the key without its end, and no part of it may remain.
  const encoded = [value, value.slice(0, -1), core]
    .flatMap(withReversed)
    .flatMap((text) => [Buffer.from(text).toString('hex'), ...base64Of(text)]);
  return [...new Set([...forms, ...encoded])];
}

/**
 * Base64 encodes groups of three bytes, so a text has three forms, by its offset in a longer one. Letters that mix with
 * adjacent text are omitted.
 */
function base64Of(text: string): string[] {
  const aligned = [0, 1, 2].map((before) => {
    const whole = Buffer.from(`${'\0'.repeat(before)}${text}`)
      .toString('base64')
      .replace(/=+$/, '');
    // The letters at both ends depend on the adjacent text too.
    const first = before === 0 ? 0 : before + 1;
    return whole.slice(first, (before + text.length) % 3 === 0 ? undefined : -1);
  });
  return [...aligned, ...aligned.map((each) => each.replaceAll('+', '-').replaceAll('/', '_'))];
}

function spansIn(rounds: readonly Decoded[], needles: readonly Needle[], secrets: readonly Needle[]): Span[] {
  const found: Span[] = [];
  for (const { text: decoded, at } of rounds) {
    const lower = inLowerCase(decoded);
    for (const needle of needles) {
      for (let index = lower.indexOf(needle.text); index !== -1; index = lower.indexOf(needle.text, index + 1)) {
        found.push({ start: at(index), end: at(index + needle.text.length), placeholder: needle.placeholder });
      }
    }
    const cut = cutSecret(lower, secrets);
    if (cut !== null) found.push({ start: at(cut.start), end: at(cut.end), placeholder: cut.placeholder });
  }
  return found;
}

/** A beginning of a secret at the end of a text that was cut: the longest, of the first secret that has one. */
function cutSecret(lower: string, secrets: readonly Needle[]): Span | null {
  let end = lower.length;
  const last = Math.max(0, end - marksAfterCutMax);
  // Quotes and the dots that the kit writes where it has cut.
  while (end > last && /["'…]/.test(lower.charAt(end - 1))) end -= 1;
  for (const { text, placeholder } of secrets) {
    const head = text.slice(0, beginningCharactersMin);
    const tail = lower.slice(Math.max(0, end - text.length + 1), end);
    for (let at = tail.indexOf(head); at !== -1; at = tail.indexOf(head, at + 1)) {
      if (text.startsWith(tail.slice(at))) return { start: end - tail.length + at, end, placeholder };
    }
  }
  return null;
}

/** Merges overlapping spans into the longest. */
function apart(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Span[] = [];
  for (const span of sorted) {
    const last = kept.at(-1);
    if (last === undefined || span.start >= last.end) kept.push(span);
    else if (span.end > last.end) {
      const longer = span.end - span.start > last.end - last.start ? span : last;
      kept[kept.length - 1] = { start: last.start, end: span.end, placeholder: longer.placeholder };
    }
  }
  return kept;
}

/** With every character in its place: a few letters become two in lower case. */
function inLowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Redacts every field except the named ones, which the suite writes. Later fields are redacted by default. */
function except<Row extends object>(row: Row, ours: readonly string[], redact: Redact): Row {
  const fields = Object.entries(row).map(([name, value]) => [
    name,
    ours.includes(name) ? value : redactDeep(value, redact),
  ]);
  return Object.fromEntries(fields) as Row;
}

/** Most texts of a report, such as the names of headers, are in it many times. */
function onceEach(redact: Redact): Redact {
  const known = new Map<string, string>();
  return (text) => {
    const redacted = known.get(text) ?? redact(text);
    known.set(text, redacted);
    return redacted;
  };
}

const ownFields = [
  'tool',
  'toolVersion',
  'contractVersion',
  'requirements',
  'runId',
  'startedAt',
  'plan',
  'used',
  'summary',
];

/** Ids, clauses and titles are ours and stay; everything that a target may have written is cleaned. */
export function redactReport(report: Report, secrets: readonly Secret[]): Report {
  const others = report.recorded === null ? none : anyKeys;
  const redact = onceEach(makeRedact(secrets, others));
  const redactKeys = onceEach(makeKeyRedact(secrets, others));
  const { target, checks, coverage, behaviors, exchanges, keepsBodies, inputs } = report;
  const cleaned = ['target', 'checks', 'coverage', 'behaviors', 'exchanges', 'inputs'];
  return {
    ...except(report, [...ownFields, ...cleaned], redact),
    ...(inputs === undefined ? {} : { inputs: except(inputs, ['standIns', 'times'], redactKeys) }),
    target: redactKeys(target),
    checks: checks.map((check) => redactResult(check, redact)),
    coverage: coverage.map((row) => except(row, ['clause', 'basis', 'seenBy', 'result', 'checks'], redact)),
    behaviors: redactStates(behaviors, redact),
    exchanges: exchanges.map((exchange) => redactExchange(exchange, redact, keepsBodies ? redactKeys : redact)),
  };
}

/** Complete bodies, which the user asked for, are in JSON and HAR only; people mail the other formats. */
export const withRedactedBodies = oncePer((report: Report): Report => {
  if (!report.keepsBodies) return report;
  const redact = makeRedact([]);
  return { ...report, exchanges: report.exchanges.map((exchange) => redactExchange(exchange, redact, redact)) };
});

/** For a report and for a profile. */
export function redactStates(states: readonly BehaviorState[], redact: Redact): BehaviorState[] {
  return states.map((state) => except(state, ['id', 'state', 'exchanges'], redact));
}

/** For results that are shown during the run. */
export function redactResult(result: CheckResult, redact: Redact): CheckResult {
  const { result: outcome, findings } = result;
  return {
    ...result,
    result: except(outcome, ['kind', 'reason'], redact),
    findings: findings.map((finding) => redactFinding(finding, redact)),
  };
}

/** The names that link a finding to clause and exchange must survive. */
function redactFinding(finding: Finding, redact: Redact): Finding {
  const pointer = /^\//.test(finding.pointer) ? redactPointer(finding.pointer, redact) : redact(finding.pointer);
  return { ...except(finding, ['clause', 'severity', 'exchange', 'alike'], redact), pointer };
}

const index = /^\d{1,6}$/;

/** A number of rows is an index; a longer one is the name of a field, and may be a phone number. */
function redactPointer(pointer: string, redact: Redact): string {
  const names = splitPointer(pointer).map((name) =>
    /^\d/.test(name) && !index.test(name) && isDataName(name) ? dataName : name,
  );
  return redact(pointerTo(...names));
}

/** The same for an exchange: `id` and `repeatOf` are links. */
function redactExchange(exchange: StoredExchange, redact: Redact, redactBody: Redact): StoredExchange {
  const ours = ['id', 'operation', 'key', 'problem', 'repeatOf', 'bodySha256', 'bodyText', 'requestBody'];
  const { bodyText, requestBody } = exchange;
  return {
    ...except(exchange, ours, redact),
    bodyText: bodyText === null ? null : redactBody(bodyText),
    requestBody: except(requestBody, [], redactBody),
  };
}
