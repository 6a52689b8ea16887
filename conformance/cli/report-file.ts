// JSON reports as input of a command. Other people wrote them, so each field is checked before it is used.
import { parseJson } from '../../src/contract/json.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { readVersion } from '../../src/terminal/version.ts';
import { clip, visible } from '../../src/terminal/visible.ts';
import { isObject } from '../exchange/exchange.ts';
import { type StoredExchange, toolName } from '../report/report.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Throws a UsageError, also for a file that was cut off. */
export function jsonIn(text: string, file: string): unknown {
  const value = parseJson(text);
  if (value === undefined) throw new UsageError(`${file} is not JSON, or it was cut off.`);
  return value;
}

export interface ReportFile extends Fields {
  readonly target: string;
  readonly runId: string;
  readonly checks: readonly Fields[];
  readonly causes: readonly Fields[];
  readonly exchanges: readonly StoredExchange[];
}

/** Throws a UsageError with the reason. */
export function readJsonReport(text: string, file: string): ReportFile {
  const report = jsonIn(text, file);
  const how = 'conformance --report json=FILE writes one';
  if (!isObject(report) || report.tool !== toolName) throw new UsageError(`${file} is not a JSON report: ${how}.`);
  const own = readVersion();
  if (report.toolVersion !== own)
    throw new UsageError(`${file} was written by version ${report.toolVersion}. This is version ${own}: use the same.`);
  if (report.recorded !== null && report.recorded !== undefined)
    throw new UsageError(`${file} is about recorded traffic: run conformance har again instead.`);
  const isRun = isText(report.target) && URL.canParse(report.target) && isText(report.runId) && isObject(report.exit);
  const lists = [report.checks, report.causes, report.exchanges];
  if (!isRun || !lists.every((list) => Array.isArray(list) && list.every(isObject)))
    throw new UsageError(`${file} is not a complete report: ${how}.`);
  const invalid = (report.exchanges as Fields[]).find((exchange) => !isStored(exchange));
  if (invalid !== undefined) throw new UsageError(`${file} has an invalid exchange "${invalid.id}": ${how}.`);
  return report as unknown as ReportFile;
}

export const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);
const isText = (value: unknown): value is string => typeof value === 'string';
const latestMs = 8.64e15;

function isStored(exchange: Fields): exchange is Fields & StoredExchange {
  const { id, requestBody, bodyText, problemDetail, repeatOf } = exchange;
  const numbers = ['sentAt', 'receivedAt', 'status', 'bodyBytes'].map((name) => exchange[name]);
  return (
    ['method', 'target', 'url', 'key', 'problem', 'bodySha256'].every((name) => isText(exchange[name])) &&
    numbers.every((value) => typeof value === 'number' && Math.abs(value) < latestMs) &&
    [exchange.headers, exchange.requestHeaders].every((all) => isObject(all) && Object.values(all).every(isText)) &&
    [bodyText, problemDetail, repeatOf].every((value) => value === null || isText(value)) &&
    isObject(requestBody) &&
    (requestBody.text === null || isText(requestBody.text)) &&
    /^x\d+$/.test(String(id))
  );
}

// Two JSON values, and a sentence for each place in which they differ.

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
