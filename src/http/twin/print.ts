// JSON in the spelling of a deployment: its blanks, its escapes, its order of members.
import type { Readings } from '../../contract/generated/readings.ts';

/** Equal as a value. */
export function printAs(value: unknown, { jsonLayout, jsonEscapes, memberOrder, envelopeOrder }: Readings): string {
  const inner = memberOrder === 'listed' ? value : orderMembers(value, memberOrder);
  const ordered = placeData(inner, envelopeOrder);
  const text =
    jsonLayout === 'spaced'
      ? spaced(ordered)
      : JSON.stringify(ordered, null, jsonLayout === 'indented' ? 2 : undefined);
  return jsonEscapes === 'escaped' ? escapeCharacters(text) : text;
}

function orderMembers(value: unknown, order: 'reversed' | 'sorted'): unknown {
  if (Array.isArray(value)) return value.map((item) => orderMembers(item, order));
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([name, member]) => [name, orderMembers(member, order)] as const);
  const turned = order === 'reversed' ? members.reverse() : members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(turned);
}

/** Only a success has data. */
function placeData(value: unknown, order: Readings['envelopeOrder']): unknown {
  if (value === null || typeof value !== 'object' || !('data' in value)) return value;
  const { data, ...rest } = value;
  return order === 'data-first' ? { data, ...rest } : { ...rest, data };
}

/** `{"a": 1, "b": [2, 3]}`, as Python and others write it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`).join(', ')}}`;
}

function escapeCharacters(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
