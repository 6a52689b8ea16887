// ISO 8601 date-times as exact timestamps. The contract says "ISO 8601 date-time" and no more (interpretation R8), so
// the reader takes calendar, ordinal and week dates, offsets, the basic form, comma fractions, missing seconds or zone,
// and any number of fraction digits. A blank for the `T` is RFC 3339's leave and not ISO's; U+2212 is ISO's own minus
// sign.

/** Nanoseconds since the epoch. A bigint, because a double cannot hold them. */
export type TimestampNs = bigint;

const dateTime =
  /^([+\-−]\d{6}|\d{4})(-?)(\d{2})\2(\d{2})[Tt](\d{2})(?:(:?)(\d{2})(?:\6(\d{2}))?)?(?:[.,](\d+))?([Zz]|[+\-−]\d{2}(?::?\d{2})?)?$/;

/** `2026-059` and `2026-W09-6` name days as well as `2026-02-28` does. */
const otherDate = /^(\d{4})-?(?:(\d{3})|W(\d{2})-?([1-7]))(?=[Tt])/;

const nsPerMs = 1_000_000n;
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The timestamp a text names, or null when it is not an ISO 8601 date-time. A text without a zone is read as UTC. */
export function parseTimestamp(text: string): TimestampNs | null {
  const match = dateTime.exec(withCalendarDate(text));
  if (!match) return null;
  const [, year, , month, day, hour, , minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const fields = [Number(month), Number(day), Number(hour), Number(minute), Number(second)] as const;
  const years = Number(year?.replace('−', '-'));
  if (!isCalendarTime(years, fields)) return null;
  const offsetMinutes = zoneMinutes(zone);
  if (offsetMinutes === null) return null;
  const base = utcMs(years, fields) - offsetMinutes * 60_000;
  // A year may be written that no Date can hold.
  if (Number.isNaN(base)) return null;
  return BigInt(base) * nsPerMs + fractionNs(fraction, match);
}

/** Milliseconds since the epoch, rounded down; null when the text is not an ISO 8601 date-time. */
export function parseTimestampMs(text: string): number | null {
  const timestamp = parseTimestamp(text);
  if (timestamp === null) return null;
  const ms = timestamp / nsPerMs;
  return Number(timestamp < 0n && timestamp % nsPerMs !== 0n ? ms - 1n : ms);
}

export function isDateTime(text: string): boolean {
  return parseTimestamp(text) !== null;
}

let formattedMs = Number.NaN;
let formatted = '';

export function formatTimestamp(epochMs: number): string {
  // Requests come many to a millisecond.
  if (epochMs !== formattedMs) {
    formatted = new Date(epochMs).toISOString();
    formattedMs = epochMs;
  }
  return formatted;
}

function withCalendarDate(text: string): string {
  const match = otherDate.exec(text);
  if (!match) return text;
  const [whole, year, ordinal, week, weekday] = match;
  const day =
    ordinal === undefined
      ? weekDate(Number(year), Number(week), Number(weekday))
      : ordinalDate(Number(year), Number(ordinal));
  if (day === null) return text;
  const separator = whole.includes('-') ? '-' : '';
  return day.toISOString().slice(0, 10).replaceAll('-', separator) + text.slice(whole.length);
}

function ordinalDate(year: number, ordinal: number): Date | null {
  const day = new Date(Date.UTC(year, 0, ordinal));
  return ordinal >= 1 && day.getUTCFullYear() === year ? day : null;
}

// Week 1 is the one with the year's first Thursday, that is with 4 January.
function weekDate(year: number, week: number, weekday: number): Date | null {
  if (week < 1 || week > 53) return null;
  const fourth = Date.UTC(year, 0, 4);
  const mondayOfFirst = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
  return new Date(mondayOfFirst + ((week - 1) * 7 + weekday - 1) * dayMs);
}

type TimeFields = readonly [month: number, day: number, hour: number, minute: number, second: number];

function isCalendarTime(year: number, [month, day, hour, minute, second]: TimeFields): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  if (day > new Date(utcMs(year, [month + 1, 0, 0, 0, 0])).getUTCDate()) return false;
  // ISO 8601 allows 24:00 for the end of a day and :60 for a leap second.
  if (hour === 24) return minute === 0 && second === 0;
  return hour < 24 && minute < 60 && second <= 60;
}

function utcMs(year: number, [month, day, hour, minute, second]: TimeFields): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  return date.getTime();
}

function zoneMinutes(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2) || '0');
  if (hours > 23 || minutes > 59) return null;
  return (zone[0] === '+' ? 1 : -1) * (hours * 60 + minutes);
}

// A fraction belongs to the smallest unit written: `10:30,5` is half a minute.
function fractionNs(fraction: string, match: RegExpExecArray): bigint {
  if (fraction === '') return 0n;
  const unitNs =
    match[8] !== undefined ? 1_000_000_000n : match[7] !== undefined ? 60_000_000_000n : 3_600_000_000_000n;
  return (BigInt(fraction) * unitNs) / 10n ** BigInt(fraction.length);
}
