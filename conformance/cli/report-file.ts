// JSON reports as input of a command. Other people wrote them, so each field is checked before it is used.
import { parseJson } from '../../src/contract/json.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { readVersion } from '../../src/terminal/version.ts';
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
