// Limits, windows and lengths of the contract as constants, from spec/tables.json. The tables are the one place for
// these numbers: spec/tables.test.ts holds the schemas of openapi.yaml and tools.yaml against them.
import { readFileSync } from 'node:fs';

/** A row of the table, in the keywords of JSON Schema. */
interface Range {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: number;
}

interface Window {
  readonly count: number;
  readonly windowS: number;
}

interface LimitTables {
  readonly limits: Readonly<Record<string, Range>> & {
    readonly keyRequests: Window;
    readonly addressRequests: Window;
  };
  readonly polling: { readonly waitAtLeastS: number; readonly settledAfterAboutS: number };
}

/** Name of the constant, its row in the table, and its clauses. */
const maxima = [
  ['bodyBytesMax', 'restBodyBytes', '8.body-rest'],
  ['mcpBodyBytesMax', 'mcpBodyBytes', '8.body-mcp'],
  ['csvContactsMax', 'dialerCsvContacts', '8.import.csv-contacts'],
  ['csvCharactersMax', 'dialerCsvCharacters', '8.import.csv-characters'],
  ['importRowsMax', 'dialerRows', '8.import.rows'],
] as const;

const ranges = [
  ['articlesLimit', 'articlesLimit', '8.articles-limit'],
  ['callsLimit', 'callsLogLimit', '8.calls-limit'],
  ['customersLimit', 'customersListMax', '8.customers-max'],
  ['labelLength', 'connectLabel', '8.label'],
  ['linkAccounts', 'connectMaxAccounts', '8.max-accounts'],
  ['postTextLength', 'postText', '8.post-text'],
  ['replyTextLength', 'replyText', '8.reply-text'],
] as const;

/** In the order of section 8. */
export function emitLimits(folder: URL): string {
  const { limits, polling } = JSON.parse(readFileSync(new URL('tables.json', folder), 'utf8')) as LimitTables;
  return [
    emit('addressWindow', '8.address-window', toWindow(limits.addressRequests)),
    emit('keyWindow', '8.key-window', toWindow(limits.keyRequests)),
    ...maxima.map(([name, row, clause]) => emit(name, clause, limits[row]?.maximum)),
    ...ranges.map(([name, row, clause]) => emit(name, clause, toRange(limits[row] ?? {}))),
    emit('pollIntervalMs', '6.wait', polling.waitAtLeastS * 1000),
    emit('settledAfterMs', '4.calls.settled-only', polling.settledAfterAboutS * 1000),
  ].join('\n');
}

/** Throws for a row without a value, so a renamed row does not become `undefined` in the code. */
function emit(name: string, clause: string, value: number | object | undefined): string {
  if (value === undefined) throw new Error(`tables.json has no value for ${name}.`);
  const text = typeof value === 'number' ? String(value) : `${JSON.stringify(value)} as const`;
  return `/** Cites ${clause}. */\nexport const ${name} = ${text};\n`;
}

function toWindow({ count, windowS }: Window): { limit: number; windowMs: number } {
  return { limit: count, windowMs: windowS * 1000 };
}

function toRange({ minimum, maximum, minLength, maxLength, default: preset }: Range): object {
  return { min: minimum ?? minLength, max: maximum ?? maxLength, preset };
}
