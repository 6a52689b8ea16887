/** ISO 8601 date-times to the nanosecond: writing in many legal forms, reading all of them. */

export interface TimeStyle {
  layout: 'extended' | 'basic';
  seconds: boolean;
  digits: number;
  mark: '.' | ',';
  /** Minutes east of UTC written as an offset, or "Z", or nothing at all (read as UTC). */
  zone: number | 'Z' | 'none';
}

const BASE: TimeStyle = { layout: 'extended', seconds: true, digits: 3, mark: '.', zone: 'Z' };

export const STYLES = {
  millis: BASE,
  seconds: { ...BASE, digits: 0 },
  micros: { ...BASE, digits: 6 },
  nanos: { ...BASE, digits: 9 },
  zero: { ...BASE, digits: 0, zone: 0 },
  india: { ...BASE, zone: 330 },
  pacific: { ...BASE, digits: 6, zone: -480 },
  comma: { ...BASE, mark: ',' },
  basic: { ...BASE, layout: 'basic', digits: 0 },
  basicOffset: { ...BASE, layout: 'basic', zone: 330, mark: ',' },
  minutes: { ...BASE, seconds: false, digits: 0 },
  local: { ...BASE, zone: 'none' },
} as const satisfies Record<string, TimeStyle>;

export type TimeFormat = keyof typeof STYLES | 'mixed';

const MIXED: readonly TimeStyle[] = [
  STYLES.millis,
  STYLES.india,
  STYLES.micros,
  STYLES.comma,
  STYLES.pacific,
  STYLES.basicOffset,
];

const MS = 1_000_000n;
const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;

export function toNs(ms: number): bigint {
  return BigInt(Math.floor(ms)) * MS;
}

/** The smallest step a format can write, in nanoseconds. */
export function unitOf(format: TimeFormat): bigint {
  const style: TimeStyle = format === 'mixed' ? BASE : STYLES[format];
  return style.seconds ? 10n ** BigInt(9 - style.digits) : MINUTE;
}

function pad(value: number | bigint, width: number): string {
  return String(value).padStart(width, '0');
}

function pick(ns: bigint, format: TimeFormat): TimeStyle {
  if (format !== 'mixed') return STYLES[format];
  return MIXED[Number((ns / MS) % BigInt(MIXED.length))] ?? BASE;
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
  const local = ns + (typeof style.zone === 'number' ? BigInt(style.zone) * MINUTE : 0n);
  const date = new Date(Number(local / MS));
  const colon = style.layout === 'basic' ? '' : ':';
  const width = Math.max(style.digits, digits);
  const fraction = pad(((local % SECOND) + SECOND) % SECOND, 9).slice(0, width);
  const tail = width > 0 ? `${style.mark}${fraction}` : '';
  const seconds = style.seconds || width > 0 ? `${colon}${pad(date.getUTCSeconds(), 2)}${tail}` : '';
  const clock = `${pad(date.getUTCHours(), 2)}${colon}${pad(date.getUTCMinutes(), 2)}${seconds}`;
  return `${writeDate(style, date)}T${clock}${writeZone(style)}`;
}

const ZONE = '(Z|[+-]\\d{2}(?::?\\d{2})?)?';
const EXTENDED = new RegExp(
  `^(\\d{4})-(?:(\\d{2})-(\\d{2})|(\\d{3}))T(\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d+))?)?${ZONE}$`,
  'i',
);
const COMPACT = new RegExp(
  `^(\\d{4})(?:(\\d{2})(\\d{2})|(\\d{3}))T(\\d{2})(\\d{2})(?:(\\d{2})(?:[.,](\\d+))?)?${ZONE}$`,
  'i',
);

function readZone(text: string | undefined): number | undefined {
  if (text === undefined || text.toUpperCase() === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function readDate(groups: RegExpExecArray): number | undefined {
  const year = Number(groups[1]);
  if (groups[4] !== undefined) {
    const day = Number(groups[4]);
    const ms = Date.UTC(year, 0, day);
    return day >= 1 && new Date(ms).getUTCFullYear() === year ? ms : undefined;
  }
  const month = Number(groups[2]);
  const day = Number(groups[3]);
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : undefined;
}

/** Reads any ISO 8601 calendar or ordinal date-time; undefined for any other text. No zone means UTC. */
export function readTimestamp(text: string): bigint | undefined {
  const groups = EXTENDED.exec(text) ?? COMPACT.exec(text);
  if (groups === null) return undefined;
  const date = readDate(groups);
  const zone = readZone(groups[9]);
  const hour = Number(groups[5]);
  const minute = Number(groups[6]);
  const second = Number(groups[7] ?? '0');
  if (date === undefined || zone === undefined || hour > 23 || minute > 59 || second > 60) return undefined;
  const seconds = BigInt(date / 1000 + hour * 3600 + (minute - zone) * 60 + second);
  return seconds * SECOND + BigInt((groups[8] ?? '').slice(0, 9).padEnd(9, '0'));
}

export type PlainTimes = 'iso' | 'epoch' | 'rfc1123' | 'date';

/** Times the contract only calls strings: expiresAt, connectedAt, repliedAt, a review's date. */
export function writePlain(ms: number, style: PlainTimes, format: TimeFormat): string {
  if (style === 'epoch') return String(Math.floor(ms / 1000));
  if (style === 'rfc1123') return new Date(ms).toUTCString();
  if (style === 'date') return new Date(ms).toISOString().slice(0, 10);
  return writeTimestamp(toNs(ms), format);
}
