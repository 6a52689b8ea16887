// How strings are written: read off a text as a form, and written again in it. A form holds no digit of the text. The
// kit learns forms, the mock writes in them. Several forms of one behavior stand side by side, parted by ` | `.
import { formatTimestamp, parseTimestamp } from './timestamps.ts';

const nsPerMs = 1_000_000n;
const minuteNs = 60_000_000_000n;

/**
 * `YYYY-MM-DDThh:mm:ss.fff+05:30`: letters are digits, and an offset is literal. `ss[.fff]` is a fraction of up to that
 * many digits without trailing zeros.
 */
const template = /^YYYY(-?)MM\1DDThh(:?)mm(?:\2ss(?:\[?([.,])(f+)\]?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;
const brackets = /^[^[\]]*(\[[.,]f+\])?[^[\]]*$/;
const fraction = /\[?([.,])(f+)\]?/;
const written = /^\d{4}(-?)\d{2}\1\d{2}T\d{2}(:?)\d{2}(?:\2(\d{2})(?:([.,])(\d{1,12}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/** Of one behavior, the first being the one that is used for the step. */
export function alternatives(form: string): readonly string[] {
  return form.split(' | ');
}

/** Of many sightings one text: forms that differ only in trimmed fractions are one. The first, where it is too long. */
export function joinForms(forms: readonly string[], charactersMax: number): string {
  const folded = trimmedForms(forms.flatMap(alternatives));
  const text = [...new Set(folded)].sort().join(' | ');
  return text.length <= charactersMax ? text : (folded[0] ?? '');
}

/** Libraries that write groups of three digits, or none, do not trim zeros. */
const groups: readonly number[] = [0, 3, 6, 9];

/** Without its fraction. */
export function wholeSeconds(form: string): string {
  return form.replace(fraction, '');
}

function trimmedForms(forms: readonly string[]): string[] {
  const digits = new Map<string, Map<number, string>>();
  for (const form of forms) {
    const lengths = digits.get(wholeSeconds(form)) ?? new Map<number, string>();
    digits.set(wholeSeconds(form), lengths.set(fraction.exec(form)?.[2]?.length ?? 0, form));
  }
  return forms.map((form) => {
    const lengths = [...(digits.get(wholeSeconds(form)) ?? [])];
    const longest = lengths.reduce((one, other) => (other[0] > one[0] ? other : one), lengths[0] ?? [0, form]);
    const isTrimmed =
      isTimestampForm(form) &&
      (lengths.some(([, each]) => each.includes('[')) || lengths.some(([length]) => !groups.includes(length))) &&
      lengths.length > 1;
    return isTrimmed ? longest[1].replace(fraction, '[$1$2]') : form;
  });
}

/** The form of an ISO 8601 date-time in calendar dates; null for every other text. */
export function timestampForm(text: string): string | null {
  const match = written.exec(text);
  if (!match || parseTimestamp(text) === null) return null;
  const [, dash = '', colon = '', second, mark = '', fraction = '', zone = ''] = match;
  const seconds = second === undefined ? '' : `${colon}ss${mark}${'f'.repeat(fraction.length)}`;
  return `YYYY${dash}MM${dash}DDThh${colon}mm${seconds}${zone}`;
}

/** Whether a text is such a form. */
export function isTimestampForm(form: string): boolean {
  return template.test(form) && brackets.test(form);
}

/** Whether the form includes fractions of several lengths. */
export function isTrimmed(form: string): boolean {
  return isTimestampForm(form) && form.includes('[');
}

/** The smallest step that a form writes; that of the coarsest of several. */
export function timestampStepNs(form: string): bigint {
  const steps = alternatives(form).map((each) => {
    const match = template.exec(each);
    if (!match) return 1n;
    if (!/ss/.test(each)) return minuteNs;
    return 10n ** BigInt(Math.max(0, 9 - (match[4] ?? '').length));
  });
  let coarsest = 1n;
  // Not Math.max, which takes no bigint.
  for (const step of steps) if (step > coarsest) coarsest = step;
  return coarsest;
}

/** Writes a timestamp, rounded down to the step of the form. `digitsMin` asks for more digits than the form has. */
export function writeTimestamp(timestampNs: bigint, form: string, digitsMin = 0): string {
  const match = template.exec(form);
  if (!match) return formatTimestamp(Number(timestampNs / nsPerMs));
  const [, dash = '', colon = '', mark = '.', f = '', zone = ''] = match;
  const local = timestampNs + zoneNs(zone);
  const [date = '', clock = ''] = formatTimestamp(Number(local / nsPerMs)).split('T');
  const [hour = '', minute = '', second = ''] = clock.slice(0, 8).split(':');
  const nanoseconds = String(((local % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n).padStart(9, '0');
  const digits = Math.max(f.length, digitsMin);
  const written = nanoseconds.padEnd(digits, '0').slice(0, digits);
  const kept = form.includes('[') ? written.replace(/0+$/, '') : written;
  const seconds = form.includes('ss') || digits > 0 ? `${colon}${second}${kept === '' ? '' : `${mark}${kept}`}` : '';
  return `${date.replaceAll('-', dash)}T${hour}${colon}${minute}${seconds}${zone}`;
}

function zoneNs(zone: string): bigint {
  const [, sign = '', hours = '', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign === '') return 0n;
  return BigInt(`${sign}1`) * (BigInt(hours) * 60n + BigInt(minutes)) * minuteNs;
}

/** Forms of timestamps and days that the contract calls plain strings, and of timestamps that are numbers. */
export function plainTimestampForm(value: string | number): string | null {
  const text = String(value);
  if (/^\d{10}(\.\d{1,9})?$/.test(text)) return 'epoch seconds';
  if (/^\d{13}$/.test(text)) return 'epoch milliseconds';
  if (typeof value === 'number') return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'YYYY-MM-DD';
  if (/^(19|20)\d{2}(0\d|1[0-2])([0-2]\d|3[01])$/.test(text)) return 'YYYYMMDD';
  if (/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return 'RFC 1123';
  if (/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return 'YYYY-MM-DD hh:mm:ss';
  return timestampForm(text);
}

const plainWriters: Readonly<Record<string, (ms: number) => string>> = {
  'epoch seconds': (ms) => String(Math.floor(ms / 1000)),
  'epoch milliseconds': (ms) => String(ms),
  'YYYY-MM-DD': (ms) => formatTimestamp(ms).slice(0, 10),
  YYYYMMDD: (ms) => formatTimestamp(ms).slice(0, 10).replaceAll('-', ''),
  'RFC 1123': (ms) => new Date(ms).toUTCString(),
  'YYYY-MM-DD hh:mm:ss': (ms) => formatTimestamp(ms).slice(0, 19).replace('T', ' '),
};

export function isPlainTimestampForm(form: string): boolean {
  return alternatives(form).every((each) => Object.hasOwn(plainWriters, each) || isTimestampForm(each));
}

/** As a string; a number of the epoch is its digits. */
export function writePlainTimestamp(ms: number, form: string): string {
  const write = plainWriters[form];
  return write ? write(ms) : writeTimestamp(BigInt(ms) * nsPerMs, form);
}

/** Forms of strings other than timestamps: ids, telephone numbers, addresses, words. The first match wins. */
const textForms: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
  ['UUID', /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/],
  ['digits', /^\d+$/],
  ['hex', /^[0-9a-f]{16,}$/],
  ['telephone', /^\+\d[\d ()-]{5,24}$/],
  ['address', /^https?:\/\/\S+$/],
  ['mail', /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i],
  ['empty', /^$/],
  ['opaque', /^[\w.:~-]{1,128}$/],
  ['opaque, to be encoded', /^\S{1,128}$/],
];

/** `telephone +9 (9) 9-9`: where the groups of digits end, and not how long they are. */
export function telephoneForm(text: string): string {
  return `telephone ${text.replace(/\d+/g, '9')}`;
}

/** Returns a fictitious number: area code 555, from 0100 on. `chance` is below 1. */
export function writeTelephone(form: string, chance: number): string {
  const pattern = form.slice('telephone '.length) || '+9 9 9';
  const groups = pattern.split('9').length - 1;
  const lengths = groupLengths[groups] ?? [1, ...Array.from({ length: groups - 1 }, () => 2)];
  const digits = `155501${String(Math.floor(chance * 100)).padStart(2, '0')}${'0'.repeat(24)}`;
  let at = 0;
  let group = 0;
  return pattern.replace(/9/g, () => {
    const length = lengths[group] ?? 1;
    group += 1;
    at += length;
    return digits.slice(at - length, at);
  });
}

const groupLengths: Readonly<Record<number, readonly number[]>> = {
  1: [11],
  2: [1, 10],
  3: [1, 3, 4],
  4: [1, 3, 3, 4],
};

/** `text` when nothing more fits. */
export function textForm(text: string): string {
  return textForms.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text';
}

/** An id needs percent-encoding, or it does not; a blank does not make it prose. */
export function idForm(text: string): string {
  const form = textForm(text);
  return form === 'text' ? 'opaque, to be encoded' : form;
}
