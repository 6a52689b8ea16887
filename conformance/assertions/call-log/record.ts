// A call is opaque: its fields are not shown (interpretation R34). So two calls are the same when their whole JSON is,
// unless the user names the field that identifies one.
import { canonical } from '../../exchange/canonical.ts';
import { isObject } from '../../exchange/exchange.ts';
import { shownNames } from '../../exchange/personal.ts';
import type { Probe, RunSettings } from '../../probe/probe.ts';
import { readTimestamp } from './timestamps.ts';

/** A call as text. Signatures of URLs are ignored. */
export function textOf(call: unknown): string {
  return canonical(call).replace(signed, '$1"');
}

const signed = /("https?:\/\/[^"?]*)\?[^"]*"/g;

/** A field by its name, or by a path with dots; undefined if it does not exist. */
export function fieldOf(record: unknown, field: string): unknown {
  if (isObject(record) && Object.hasOwn(record, field)) return record[field];
  let node = record;
  for (const name of field.split('.')) {
    if (!isObject(node) || !Object.hasOwn(node, name)) return undefined;
    node = node[name];
  }
  return node;
}

/** The identity of a call: the field of `--call-id-field`, or the complete record. */
export function markOf(call: unknown, { callIdField }: RunSettings): string {
  const id = callIdField === null ? undefined : fieldOf(call, callIdField);
  return id === undefined || id === null ? textOf(call) : canonical(id);
}

/** Whether each call has the field that `--call-id-field` names; the MCP endpoint may name it otherwise. */
export function areNamed(calls: readonly unknown[], { callIdField }: RunSettings): boolean {
  return callIdField !== null && calls.every((call) => (fieldOf(call, callIdField) ?? null) !== null);
}

/** Among fewer calls every text may differ by chance. */
const differentMin = 10;

/** Whether some text that names a call is another one in every call: then two calls that are alike are one. */
export function haveIds(calls: readonly unknown[]): boolean {
  const different = [...new Map(calls.map((call) => [textOf(call), call])).values()].filter(isObject);
  const names = Object.keys(different[0] ?? {});
  return names.some((name) => {
    const values = different.map((call) => call[name]);
    const areIds = values.every((value) => mayBeId(name, value));
    return areIds && different.length >= differentMin && new Set(values).size === values.length;
  });
}

/** Fields of a person, who can call twice. */
const person = /^(caller|callee|customer|contact|agent|user|from|to)/i;

/** A caller can have a number or a name: digits alone are an id only in an id field. */
function mayBeId(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || readTimestamp(value) !== null || person.test(name)) return false;
  const isNumber = /^\+?[\d\s().*-]+$/.test(value);
  return isNumber ? /id$/i.test(name) && !value.startsWith('+') : /\d/.test(value);
}

/** The relation of an earlier reading to a later one: calls may be added at the end only. */
export function isPrefix(start: readonly string[], whole: readonly string[]): boolean {
  return start.length <= whole.length && start.every((mark, index) => mark === whole[index]);
}

/** The items that the first list holds more often than the second. */
export function without(marks: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const mark of others) left.set(mark, (left.get(mark) ?? 0) + 1);
  return marks.filter((mark) => {
    const count = left.get(mark) ?? 0;
    left.set(mark, count - 1);
    return count <= 0;
  });
}

const namesShownMax = 8;

/** A sentence if the field that the user names is in no record; a list without records is inconclusive. */
export function whyMissing(flag: string, field: string, calls: readonly unknown[]): string | null {
  if (calls.length === 0 || calls.some((call) => fieldOf(call, field) !== undefined)) return null;
  return `${flag} ${field} is in no call record; they have ${namesIn(calls)}`;
}

function namesIn(calls: readonly unknown[]): string {
  const names = [...new Set(calls.flatMap((call) => (isObject(call) ? Object.keys(call) : [])))];
  return shownNames(names, namesShownMax) || 'no fields';
}

/** Stops a check that can do nothing without that field, which the user has named or the delivered calls have. */
export function expectField(probe: Probe, calls: readonly unknown[], field: string): void {
  const why = whyMissing('--call-ended-at-field', field, calls);
  if (why === null) return;
  const isNamed = probe.settings.callEndedAtField !== null;
  probe.stop('precondition', isNamed ? why : `no record here has ${field}, as others do; they have ${namesIn(calls)}`);
}
