// Compares the end state of a mock with the changes that a test expects, for matchers of any test runner.
import { type RecordKind, recordKinds, type WorldDiff } from '../engine/world-diff.ts';
import { visible } from '../terminal/visible.ts';
import { check, times } from './check-options.ts';

/** The number of changed records of each kind. Kinds that are not listed must not change. */
export type ExpectedChanges = { readonly [Kind in RecordKind]?: number };

const listedMax = 20;

const changesShape = Object.fromEntries(recordKinds.map((kind) => [kind, times]));

/** Whether exactly these records changed. The message lists all changes. Throws a `RangeError` for other kinds. */
export function judgeChanges(diff: WorldDiff, expected: ExpectedChanges): { pass: boolean; message: () => string } {
  check('toHaveChanged', expected, changesShape, 'record kind');
  const wrong = recordKinds.filter((kind) => (diff.counts[kind] ?? 0) !== (expected[kind] ?? 0));
  const count = (kind: RecordKind) => `${kind}: ${diff.counts[kind] ?? 0} changed, expected ${expected[kind] ?? 0}`;
  const message = () =>
    wrong.length === 0
      ? `Exactly these records changed, and other changes were expected:\n${list(diff)}`
      : `The mock has other changes than expected (${wrong.map(count).join('; ')}):\n${list(diff)}`;
  return { pass: wrong.length === 0, message };
}

function list({ added, changed, removed }: WorldDiff): string {
  const lines = [
    ...added.map(({ kind, id }) => `  added ${kind} ${id}`),
    ...changed.map(({ kind, id, fields }) => `  changed ${kind} ${id}: ${describe(fields)}`),
    ...removed.map(({ kind, id }) => `  removed ${kind} ${id}`),
  ];
  const more = lines.length > listedMax ? [`  and ${lines.length - listedMax} more`] : [];
  return [...lines.slice(0, listedMax), ...more].join('\n') || '  no changes';
}

function describe(fields: WorldDiff['changed'][number]['fields']): string {
  const short = (value: unknown) => visible(JSON.stringify(value)?.slice(0, 60) ?? 'null');
  return Object.entries(fields)
    .map(([name, { before, after }]) => `${name} ${short(before)} → ${short(after)}`)
    .join(', ');
}
