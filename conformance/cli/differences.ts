// Two JSON values, and a sentence for each place in which they differ.
import { clip, visible } from '../../src/terminal/visible.ts';
import { isObject } from '../exchange/exchange.ts';

interface Difference {
  readonly path: readonly string[];
  readonly given: unknown;
  readonly expected: unknown;
}

const valueCharactersMax = 120;
const contextCharacters = 20;

/** A field that neither side has is equal to one that is undefined. */
export function differencesOf(given: unknown, expected: unknown, path: readonly string[] = []): Difference[] {
  const [mine, its] = [fieldsOf(given), fieldsOf(expected)];
  if (mine === null || its === null || Array.isArray(given) !== Array.isArray(expected))
    return Object.is(given, expected) ? [] : [{ path, given, expected }];
  const [order, itsOrder] = [[...mine.keys()], [...its.keys()]];
  const isMoved = Array.isArray(given) && itsOrder.every((name) => mine.has(name)) && order.join() !== itsOrder.join();
  if (isMoved && order.length === itsOrder.length)
    return [{ path: [...path, 'order'], given: order, expected: itsOrder }];
  return [...new Set([...mine.keys(), ...its.keys()])].flatMap((name) =>
    differencesOf(mine.get(name), its.get(name), [...path, name]),
  );
}

/** Items of a list by their id, because an item that is missing would shift the others. */
function fieldsOf(value: unknown): Map<string, unknown> | null {
  if (!Array.isArray(value)) return isObject(value) ? new Map(Object.entries(value)) : null;
  const names = value.map(nameOf);
  const isNamed = new Set(names).size === names.length && !names.includes(null);
  return new Map(value.map((item, index) => [isNamed ? String(names[index]) : String(index + 1), item]));
}

function nameOf(item: unknown): string | null {
  const name = isObject(item) ? (item.id ?? (item.severity === undefined ? item.clause : undefined)) : undefined;
  return typeof name === 'string' ? name : null;
}

/** `subject` is the file that is verified, `source` the origin of the expected values. */
export function sentenceOf(
  { path, given, expected }: Difference,
  [subject, source]: readonly [string, string],
): string {
  const place = visible(path.join(' > '));
  if (given === undefined) return `${subject} lacks ${place}.`;
  if (expected === undefined) return `${subject} has ${place}, which does not follow from ${source}.`;
  const [mine, its] = [given, expected].map((value) => JSON.stringify(value) ?? 'nothing') as [string, string];
  const at = [...mine].findIndex((letter, index) => letter !== its[index]);
  const from = Math.max(0, (at === -1 ? mine.length : at) - contextCharacters);
  return `${subject}: ${place} is ${partOf(mine, from)}; ${source} give ${partOf(its, from)}.`;
}

/** The end of a long text can be the only difference. */
function partOf(text: string, from: number): string {
  const isLong = text.length > valueCharactersMax && from > 0;
  return visible(isLong ? `…${clip(text.slice(from), valueCharactersMax)}` : clip(text, valueCharactersMax));
}
