// Records of the mock in the proportions of a deployment: which fields are null, left out or empty.
import { isPlainTimestampForm } from '../../contract/forms.ts';
import type { Behaviors } from '../../contract/generated/behaviors.ts';
import type { Shape, Share } from '../../contract/shape.ts';
import { formatTimestamp, parseTimestampMs } from '../../contract/timestamps.ts';
import { hashToUnit } from '../../domain/random.ts';
import { invent } from './invent.ts';

type Fields = Record<string, unknown>;

/** A kind of record, and how one is named. `of` is the word on which its nulls depend. */
interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly of?: string | undefined;
}

/** Everything follows from the name of the record, so it reads the same whenever it is read. */
export function conform<Record_ extends object>(record: Record_, { records }: Behaviors, subject: Subject): Record_ {
  const fields = records?.fields?.[subject.kind]?.fields;
  if (fields === undefined) return record;
  const shown = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const shape = fields[name];
    if (shape === undefined) return [[name, value]];
    const chance = hashToUnit(`${subject.name} ${name} shown`);
    if (chance < shareOf(shape.absent, subject.of)) return [];
    if (chance < shareOf(shape.nulls ?? (shape.type === 'null' ? 1 : 0), subject.of)) return [[name, null]];
    if (typeof value === 'string' && chance < shareOf(shape.blanks, subject.of)) return [[name, '']];
    return [[name, shownValue(value, name, { shape, record: record as Fields, subject })]];
  });
  return Object.fromEntries(shown) as Record_;
}

function shareOf(share: Share | undefined, of: string | undefined): number {
  if (share === undefined || typeof share === 'number') return share ?? 0;
  return share[of ?? ''] ?? 0;
}

/** The value of the world, unless the deployment would not show it. */
function shownValue(
  value: unknown,
  name: string,
  { shape, record, subject }: { shape: Shape; record: Fields; subject: Subject },
): unknown {
  const { values, form } = shape;
  const isWord = typeof value !== 'string' || values === undefined || values.includes(value) || isOfContract.has(name);
  if (value !== null && value !== '' && isWord) return value;
  const startMs = parseTimestampMs(String(record.createdAt ?? record.connectedAt)) ?? 1_767_225_600_000;
  // Written in the form of the field afterwards.
  if (form !== undefined && isPlainTimestampForm(form)) return formatTimestamp(startMs);
  if (shape.type === 'null' || (value === '' && shape.blanks !== undefined)) return value;
  if (name === 'rating') return 1 + Math.floor(hashToUnit(`${subject.name} rating`) * 5);
  return invent(shape, { name: subject.name, startMs, endMs: null }, name);
}

/** Words of the contract. */
const isOfContract: ReadonlySet<string> = new Set(['status', 'provider']);

/** Returns the form of each plain timestamp; a field that nothing showed has that of a similar one. */
export function timestampForms({ records }: Behaviors): Readonly<Record<string, string | undefined>> {
  const formOf = (kind: string, name: string) => {
    const form = records?.fields?.[kind]?.fields?.[name]?.form;
    return form !== undefined && isPlainTimestampForm(form) ? form : undefined;
  };
  const connectedAt = formOf('account', 'connectedAt');
  const expiresAt = formOf('link', 'expiresAt') ?? formOf('invite', 'expiresAt');
  return {
    connectedAt: connectedAt ?? expiresAt,
    expiresAt: expiresAt ?? connectedAt,
    repliedAt: formOf('reply', 'repliedAt') ?? connectedAt ?? expiresAt,
    date: formOf('review', 'date'),
  };
}
