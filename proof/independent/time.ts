/** ISO 8601 date-times to the nanosecond: writing in many legal forms, reading all of them. */

export interface TimeStyle {
  layout: 'extended' | 'basic';
  seconds: boolean;
  digits: number;
  mark: '.' | ',';
  /** Minutes east of UTC written as an offset, or "Z", or nothing at all (read as UTC). */
  zone: number | 'Z' | 'none';
}

const baseStyle: TimeStyle = { layout: 'extended', seconds: true, digits: 3, mark: '.', zone: 'Z' };

export const styles = {
  millis: baseStyle,
  seconds: { ...baseStyle, digits: 0 },
  micros: { ...baseStyle, digits: 6 },
  nanos: { ...baseStyle, digits: 9 },
  zero: { ...baseStyle, digits: 0, zone: 0 },
  india: { ...baseStyle, zone: 330 },
  pacific: { ...baseStyle, digits: 6, zone: -480 },
  comma: { ...baseStyle, mark: ',' },
  basic: { ...baseStyle, layout: 'basic', digits: 0 },
  basicOffset: { ...baseStyle, layout: 'basic', zone: 330, mark: ',' },
  minutes: { ...baseStyle, seconds: false, digits: 0 },
  local: { ...baseStyle, zone: 'none' },
} as const satisfies Record<string, TimeStyle>;

export type TimeFormat = keyof typeof styles | 'mixed';

const { millis, india, micros, comma, pacific, basicOffset } = styles;
const mixed: readonly TimeStyle[] = [millis, india, micros, comma, pacific, basicOffset];

const msNs = 1_000_000n;
const secondNs = 1_000_000_000n;
const minuteNs = 60n * secondNs;

export function toNs(ms: number): bigint {
  return BigInt(Math.floor(ms)) * msNs;
}

/** The smallest step a format can write, in nanoseconds. */
export function unitOf(format: TimeFormat): bigint {
  const style: TimeStyle = format === 'mixed' ? baseStyle : styles[format];
  return style.seconds ? 10n ** BigInt(9 - style.digits) : minuteNs;
}

function pad(value: number | bigint, width: number): string {
  return String(value).padStart(width, '0');
}

function pick(ns: bigint, format: TimeFormat): TimeStyle {
  if (format !== 'mixed') return styles[format];
  return mixed[Number((ns / msNs) % BigInt(mixed.length))] ?? baseStyle;
}

function writeZone(style: TimeStyle): string {
  if (style.zone === 'Z') return 'Z';
  if (style.zone === 'none') return '';
  const size = Math.abs(style.zone);
  const colon = style.layout === 'basic' ? '' : ':';
  return `${style.zone < 0 ? '-' : '+'}${pad(Math.floor(size / 60), 2)}${colon}${pad(size % 60, 2)}`;
}

function writeDate(style: TimeStyle, date: Date): string {
  const year = pad(date.getUTCFullYear(), 4);
  const dash = style.layout === 'basic' ? '' : '-';
  return `${year}${dash}${pad(date.getUTCMonth() + 1, 2)}${dash}${pad(date.getUTCDate(), 2)}`;
}

/** Writes a timestamp with at least `digits` fraction digits (a cursor must not lose any). */
export function writeTimestamp(ns: bigint, format: TimeFormat, digits = 0): string {
  const style = pick(ns, format);
  const local = ns + (typeof style.zone === 'number' ? BigInt(style.zone) * minuteNs : 0n);
  const date = new Date(Number(local / msNs));
  const colon = style.layout === 'basic' ? '' : ':';
  const width = Math.max(style.digits, digits);
  const fraction = pad(((local % secondNs) + secondNs) % secondNs, 9).slice(0, width);
  const tail = width > 0 ? `${style.mark}${fraction}` : '';
  const seconds = style.seconds || width > 0 ? `${colon}${pad(date.getUTCSeconds(), 2)}${tail}` : '';
  const clock = `${pad(date.getUTCHours(), 2)}${colon}${pad(date.getUTCMinutes(), 2)}${seconds}`;
  return `${writeDate(style, date)}T${clock}${writeZone(style)}`;
}

const zonePattern = '(Z|[+-]\\d{2}(?::?\\d{2})?)?';
const clockPattern = 'T(\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d+))?)?';
const extended = new RegExp(`^(\\d{4})-(?:(\\d{2})-(\\d{2})|(\\d{3}))${clockPattern}${zonePattern}$`, 'i');
const compactClock = clockPattern.replace(/(?<!\?):/g, '');
const compact = new RegExp(`^(\\d{4})(?:(\\d{2})(\\d{2})|(\\d{3}))${compactClock}${zonePattern}$`, 'i');

function readZone(text: string | undefined): number | undefined {
  if (text === undefined || text.toUpperCase() === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function readDate(groups: RegExpExecArray): number | undefined {
  const [year, month, day, ordinal] = groups.slice(1, 5).map(Number) as [number, number, number, number];
  if (groups[4] !== undefined) {
    const ms = Date.UTC(year, 0, ordinal);
    return ordinal >= 1 && new Date(ms).getUTCFullYear() === year ? ms : undefined;
  }
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : undefined;
}

/** Reads any ISO 8601 calendar or ordinal date-time; undefined for any other text. No zone means UTC. */
export function readTimestamp(text: string): bigint | undefined {
  const groups = extended.exec(text) ?? compact.exec(text);
  if (groups === null) return undefined;
  const date = readDate(groups);
  const zone = readZone(groups[9]);
  const [hour = 0, minute = 0, second = 0] = groups.slice(5, 8).map((digits = '0') => Number(digits));
  if (date === undefined || zone === undefined || hour > 23 || minute > 59 || second > 60) return undefined;
  const seconds = BigInt(date / 1000 + hour * 3600 + (minute - zone) * 60 + second);
  return seconds * secondNs + BigInt((groups[8] ?? '').slice(0, 9).padEnd(9, '0'));
}

export type PlainTimes = 'iso' | 'epoch' | 'rfc1123' | 'date';

/** Times the contract only calls strings: expiresAt, connectedAt, repliedAt, a review's date. */
export function writePlain(ms: number, style: PlainTimes, format: TimeFormat): string {
  if (style === 'epoch') return String(Math.floor(ms / 1000));
  if (style === 'rfc1123') return new Date(ms).toUTCString();
  if (style === 'date') return new Date(ms).toISOString().slice(0, 10);
  return writeTimestamp(toNs(ms), format);
}
