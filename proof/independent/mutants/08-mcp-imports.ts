import type { MutantsByClause } from './mutant.ts';
import { without } from './recipes.ts';
import { fussy, lengthOf, lenient, restated, retold } from './tools.ts';

function linesOf(value: unknown): number {
  return typeof value === 'string' ? value.split('\n').length : 0;
}

/** The MCP tool that imports contacts: what the door says of it, and how many it takes. */
export const mcpImportMutants: MutantsByClause = {
  '4.tools.dialer-import-contacts': {
    'mcp-import-without-rows': {
      shows: 'dialer_import_contacts takes csv only.',
      wrong: retold('dialer_import_contacts', (properties) => without(properties, 'rows')),
    },
  },
  '8.import.rows': {
    'mcp-import-states-1000': {
      shows: 'dialer_import_contacts says that it takes 1,000 rows.',
      wrong: restated('dialer_import_contacts', 'rows', { maxItems: 1000 }),
    },
    'mcp-import-takes-5001-rows': {
      shows: 'dialer_import_contacts imports 5,001 rows.',
      needs: 'writes',
      wrong: lenient('dialer_import_contacts', ({ rows }) => lengthOf(rows) > 5000),
    },
    'mcp-import-refuses-5000-rows': {
      shows: 'dialer_import_contacts refuses 5,000 rows.',
      needs: 'writes',
      wrong: fussy('dialer_import_contacts', 'rows', ({ rows }) => lengthOf(rows) > 4999),
    },
  },
  '8.import.csv-characters': {
    'mcp-import-states-short-csv': {
      shows: 'dialer_import_contacts says that csv has at most 200,000 characters.',
      wrong: restated('dialer_import_contacts', 'csv', { maxLength: 200_000 }),
    },
  },
  '8.import.csv-contacts': {
    'mcp-import-takes-20001-contacts': {
      shows: 'dialer_import_contacts imports 20,001 contacts of a csv text.',
      needs: 'writes',
      wrong: lenient('dialer_import_contacts', ({ csv }) => linesOf(csv) > 20_001),
    },
    'mcp-import-refuses-20000-contacts': {
      shows: 'dialer_import_contacts counts the line of names as a contact.',
      needs: 'writes',
      wrong: fussy('dialer_import_contacts', 'csv', ({ csv }) => linesOf(csv) > 20_000),
    },
  },
};
