// Imports of contacts: stated, taken or rejected wrongly. Cites 4.tools.dialer-import-contacts, 8.import.*.
import { fussy, onInput, onProperties, restate, thankful } from './hooks/mcp-endpoint.ts';
import { mcpMutantsNeeding, mcpMutantsOf } from './hooks/mutant.ts';
import type { Json, JsonObject } from './hooks/rewrite.ts';

const lengthOf = (value: Json | undefined) => (typeof value === 'string' ? value.length : 0);
const rowsOf = ({ rows }: JsonObject): Json[] => (Array.isArray(rows) ? rows : []);
const linesOf = ({ csv }: JsonObject) => (typeof csv === 'string' ? csv.split('\n').filter((line) => line !== '') : []);

const stated = mcpMutantsOf({
  '4.tools.dialer-import-contacts': {
    'mcp-import-offers-file': [
      '`dialer_import_contacts` takes `file` instead of `csv`.',
      onProperties('dialer_import_contacts', ({ csv = {}, rows = {} }) => ({ file: csv, rows })),
    ],
  },
  '8.import.rows': {
    'mcp-import-states-5001-rows': [
      '`dialer_import_contacts` says that there may be 5,001 rows.',
      restate('dialer_import_contacts', 'rows', { maxItems: 5001 }),
    ],
  },
  '8.import.csv-characters': {
    'mcp-import-states-long-csv': [
      '`dialer_import_contacts` says that the csv may have 2,500,000 characters.',
      restate('dialer_import_contacts', 'csv', { maxLength: 2_500_000 }),
    ],
  },
});

const taken = mcpMutantsNeeding('writes', {
  '8.import.rows': {
    'mcp-import-5001-rows-taken': [
      '`dialer_import_contacts` takes 5,001 rows.',
      onInput('dialer_import_contacts', (input) =>
        rowsOf(input).length === 5001 ? { ...input, rows: rowsOf(input).slice(0, 5000) } : input,
      ),
    ],
    'mcp-import-5000-rows-refused': [
      '`dialer_import_contacts` rejects 5,000 rows.',
      fussy('dialer_import_contacts', 'rows', (input) => rowsOf(input).length === 5000),
    ],
  },
  '8.import.csv-contacts': {
    'mcp-import-20001-contacts-taken': [
      '`dialer_import_contacts` takes 20,001 contacts as csv: the limit counts the line of names among them.',
      onInput('dialer_import_contacts', (input) =>
        linesOf(input).length === 20_002 ? { ...input, csv: linesOf(input).slice(0, 20_001).join('\n') } : input,
      ),
    ],
    'mcp-import-20000-contacts-refused': [
      '`dialer_import_contacts` takes 20,000 lines of csv, and one of them names the columns.',
      fussy('dialer_import_contacts', 'csv', (input) => linesOf(input).length > 20_000),
    ],
  },
  '8.import.csv-characters': {
    'mcp-import-short-csv-only': [
      '`dialer_import_contacts` rejects a csv of more than 200,000 characters.',
      fussy('dialer_import_contacts', 'csv', ({ csv }) => lengthOf(csv) > 200_000),
    ],
  },
});

const both = mcpMutantsOf({
  '4.tools.dialer-import-contacts': {
    'mcp-import-both-taken': [
      '`dialer_import_contacts` takes csv and rows in one call.',
      thankful('dialer_import_contacts', ({ csv, rows }) => csv !== undefined && rows !== undefined, {
        imported: 0,
        updated: 0,
        total: 0,
      }),
      { result: 'warn' },
    ],
  },
});

export const mcpImportMutants = [...stated, ...taken, ...both];
