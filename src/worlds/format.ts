// How a world is written: one record a line, so a diff names the record and a reader finds it.
import type { AccountData, OrganizationData, WorldData } from '../domain/world-data.ts';

/** JSON text with one record a line, ending in a line feed. */
export function formatWorld({ organizations, ...head }: WorldData): string {
  const lines = Object.entries(head).map(([name, value]) => `  ${field(name, value)},\n`);
  return `{\n${lines.join('')}  "organizations": ${formatList(organizations.map(formatOrganization), '  ')}\n}\n`;
}

function formatOrganization(organization: OrganizationData): string {
  const fields = Object.entries(organization).map(([name, value]) => {
    if (!Array.isArray(value)) return field(name, value);
    const records = name === 'accounts' ? organization.accounts.map(formatAccount) : value.map(toJson);
    return `${toJson(name)}: ${formatList(records, '      ')}`;
  });
  return `{\n      ${fields.join(',\n      ')}\n    }`;
}

// An account has nested lists: non-empty ones are on separate lines.
function formatAccount({ posts, reviews, metrics, ...account }: AccountData): string {
  const head = toJson(account).slice(0, -1);
  const lists = Object.entries({ posts, reviews, metrics }).map(
    ([name, records]) => `${toJson(name)}: ${formatList(records.map(toJson), '          ')}`,
  );
  return `${head},\n          ${lists.join(',\n          ')}\n        }`;
}

/** `indent` is that of the line on which the list ends. */
function formatList(records: readonly string[], indent: string): string {
  if (records.length === 0) return '[]';
  return `[\n${indent}  ${records.join(`,\n${indent}  `)}\n${indent}]`;
}

function field(name: string, value: unknown): string {
  return `${toJson(name)}: ${toJson(value)}`;
}

function toJson(value: unknown): string {
  return JSON.stringify(value);
}
