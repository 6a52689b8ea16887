// A large response, piece by piece. A list may hold hundreds of thousands of rows: the shape rules look at the first
// ones, a thousand at a time, so a list of broken rows costs neither seconds nor gigabytes.

/** Far more than a page of the contract has, and more than the lists without pages are likely to have. */
export const rowsCheckedMax = 20_000;
const windowRows = 1000;
const fieldsCheckedMax = 1000;

export interface RowWindow {
  /** The response with each outer list cut to the rows of this window. */
  readonly value: unknown;
  readonly offset: number;
}

/** Together they hold every row that is checked, each once. */
export type RowWindows = { readonly windows: readonly RowWindow[]; readonly isCut: boolean };

/** `listed` fields are always kept: without one of them the response would look as if it were absent. */
export function rowWindows(value: unknown, listed: ReadonlySet<string>): RowWindows {
  const cut = { rowsLeft: rowsCheckedMax, listed, isCut: false };
  const windows: RowWindow[] = [];
  const rows = longestList(value);
  for (let offset = 0; offset === 0 || (offset < rows && cut.rowsLeft > 0); offset += windowRows) {
    windows.push({ value: windowOf(value, offset, cut), offset });
  }
  const isCut = cut.isCut || rows > windows.length * windowRows;
  return windows.length === 1 && !isCut ? { windows: [{ value, offset: 0 }], isCut } : { windows, isCut };
}

/** A pointer into a window, as a pointer into the whole response. */
export function inWhole(pointer: string, offset: number): string {
  return pointer.replace(/\/(\d+)(?=\/|$)/, (_, index) => `/${Number(index) + offset}`);
}

/** Whether a pointer links to a row, and not to what all windows share. */
export const isInRow = (pointer: string): boolean => /\/\d+(\/|$)/.test(pointer);

/** Shared by all windows of a response: the bound is on their sum. */
type Cut = { rowsLeft: number; readonly listed: ReadonlySet<string>; isCut: boolean };

/** Decides how many windows there are; lists inside of rows do not count. */
function longestList(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((longest, field) => Math.max(longest, longestList(field)), 0);
}

/** Everything around the lists stays, so each window is a response of the same shape. */
function windowOf(value: unknown, offset: number, cut: Cut): unknown {
  if (Array.isArray(value)) return takeRows(value.slice(offset, offset + windowRows), cut);
  if (typeof value !== 'object' || value === null) return value;
  return takeFields(value, cut, (field) => windowOf(field, offset, cut));
}

/** Stops at the maximum and reports it; skipped rows leave the result open. */
function takeRows(rows: readonly unknown[], cut: Cut): unknown[] {
  const taken = rows.slice(0, Math.max(0, cut.rowsLeft));
  if (taken.length < rows.length) cut.isCut = true;
  cut.rowsLeft -= taken.length;
  return taken.map((row) => takeInner(row, cut));
}

/** Lists inside of a row are not windowed; their rows count like all others. */
function takeInner(value: unknown, cut: Cut): unknown {
  if (Array.isArray(value)) return takeRows(value, cut);
  if (typeof value !== 'object' || value === null) return value;
  return takeFields(value, cut, (field) => takeInner(field, cut));
}

/** A row with a million fields is bounded like a list of a million rows. */
function takeFields(value: object, cut: Cut, take: (field: unknown) => unknown): Record<string, unknown> {
  const fields: [string, unknown][] = [];
  let others = 0;
  for (const [name, field] of Object.entries(value)) {
    if (!cut.listed.has(name)) others += 1;
    if (cut.listed.has(name) || others <= fieldsCheckedMax) fields.push([name, take(field)]);
    else cut.isCut = true;
  }
  return Object.fromEntries(fields);
}
