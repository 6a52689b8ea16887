// JSON in one of its many spellings: members in another order, other blanks, characters escaped. A reader sees no
// difference.
import type { Random } from '../../domain/random.ts';

/** Equal as a value, in other bytes. */
export function printJson(value: unknown, random: Random): string {
  const indent = [undefined, undefined, 2, '\t'][random.below(4)];
  const text = JSON.stringify(shuffleMembers(value, random), null, indent);
  return random.below(3) === 0 ? escapeCharacters(text) : text;
}

/** Fisher and Yates, at every level; lists keep their order. */
function shuffleMembers(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffleMembers(item, random));
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value);
  for (let i = members.length - 1; i > 0; i -= 1) {
    const j = random.below(i + 1);
    [members[i], members[j]] = [members[j] as [string, unknown], members[i] as [string, unknown]];
  }
  return Object.fromEntries(members.map(([name, member]) => [name, shuffleMembers(member, random)]));
}

/** `<` and `>` as well: some serializers escape them for HTML. */
function escapeCharacters(json: string): string {
  return json.replace(
    /[\u0080-\uffff<>]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
