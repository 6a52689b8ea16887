import { expect, test } from 'vitest';
import { inWhole, isInRow, rowsCheckedMax, rowWindows } from './row-windows.ts';

const listed = new Set(['data', 'cursor', 'id']);
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

test('a usual response is one window, the response itself', () => {
  const value = { data: rows(100), cursor: null };
  const { windows, isCut } = rowWindows(value, listed);
  expect(windows).toEqual([{ value, offset: 0 }]);
  expect(windows[0]?.value).toBe(value);
  expect(isCut).toBe(false);
});

test('a long list comes in windows that together hold every row once', () => {
  const { windows, isCut } = rowWindows({ data: rows(2500), cursor: 'c' }, listed);
  expect(windows.map(({ offset }) => offset)).toEqual([0, 1000, 2000]);
  expect(windows.flatMap(({ value }) => (value as { data: unknown[] }).data)).toEqual(rows(2500));
  expect(isCut).toBe(false);
});

test('rows and fields beyond the bounds are left out, and listed fields never', () => {
  const { windows, isCut } = rowWindows({ data: rows(rowsCheckedMax + 1) }, listed);
  expect(isCut).toBe(true);
  expect(windows.flatMap(({ value }) => (value as { data: unknown[] }).data)).toHaveLength(rowsCheckedMax);
  const wide = Object.fromEntries([...Array.from({ length: 5000 }, (_, index) => [`m${index}`, 1]), ['id', 7]]);
  const rowsOf = ({ value }: { value: unknown }) => (value as { data: Record<string, unknown>[] }).data;
  const [row] = rowWindows({ data: [wide] }, listed).windows.flatMap(rowsOf);
  expect(Object.keys(row ?? {})).toHaveLength(1001);
  expect(row?.id).toBe(7);
});

test('a pointer into a window links to the same row of the whole response', () => {
  expect(inWhole('/data/7/points/2', 3000)).toBe('/data/3007/points/2');
  expect(['/data/7/id', '/data/7', '/data/billing'].map(isInRow)).toEqual([true, true, false]);
});
