// Two shapes that were learnt from different data. What one side always has and the other never, and what is written
// in another form, differs; what the data decide (nulls, members that some records lack, vocabularies) does not.
import { alternatives } from '../../src/contract/forms.ts';
import type { Shape } from '../../src/contract/shape.ts';
import type { Relation } from './relation.ts';
import { relateTrimmed } from './trimmed.ts';

/** `null` stands for no members at all. */
export function relateShapes(a: Shape | null, b: Shape | null): Relation {
  if (a === null || b === null)
    return a === b ? { kind: 'same' } : { kind: 'differs', why: `only ${a === null ? 'B' : 'A'} has any` };
  const found = differencesOf(a, b, '');
  const grave = found.filter(({ isOpen }) => !isOpen);
  if (grave.length > 0) return { kind: 'differs', why: listed(grave) };
  // Two shapes may have nothing to compare but their names.
  return { kind: 'same' };
}

/** As a person writes a shape down: { id: uuid, agent?: text or null, tags: [string] }. */
export function spellShape(shape: Shape): string {
  const { type, form, members, items, nullable } = shape;
  const orNull = nullable ? ' or null' : '';
  if (members !== undefined) {
    const rows = Object.entries(members).map(
      ([name, each]) => `${name}${each.optional ? '?' : ''}: ${spellShape(each)}`,
    );
    return `${rows.length === 0 ? '{}' : `{ ${rows.join(', ')} }`}${orNull}`;
  }
  if (type === 'array') return `[${items === undefined ? '' : spellShape(items)}]${orNull}`;
  return `${form ?? type}${orNull}`;
}

interface Found {
  readonly text: string;
  /** The data may be why. */
  readonly isOpen: boolean;
}

const shownMax = 4;

function listed(found: readonly Found[]): string {
  const rest = found.length - shownMax;
  const texts = found.slice(0, shownMax).map(({ text }) => text);
  return [...texts, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

function differencesOf(a: Shape, b: Shape, at: string): Found[] {
  const place = at === '' ? 'it' : at;
  const isUntold = a.type === 'null' || b.type === 'null';
  if (a.type !== b.type) {
    const isNumber = [a.type, b.type].every((type) => type === 'integer' || type === 'number');
    return [
      { text: `${place} is ${a.type} on A, ${b.type} on B`, isOpen: isUntold || (isNumber && !a.form && !b.form) },
    ];
  }
  if (a.items !== undefined && b.items !== undefined) return differencesOf(a.items, b.items, `${at}[]`);
  const forms = a.form !== b.form && a.form !== undefined && b.form !== undefined;
  return [
    ...(forms ? [{ text: `${place} is written ${a.form} on A, ${b.form} on B`, isOpen: hasShared(a, b) }] : []),
    ...membersOf(a, b, at),
  ];
}

/** Of several forms one side may have shown a part; free text may look like anything. */
function hasShared({ form: a = '' }: Shape, { form: b = '' }: Shape): boolean {
  if (relateTrimmed(alternatives(a), alternatives(b)) !== null) return true;
  // Numbers of one country may be grouped in several ways, and then the form does not tell how.
  if (a === 'telephone' || b === 'telephone') return /^telephone/.test(a) && /^telephone/.test(b);
  const forms = new Set(a.split(' | '));
  return b.split(' | ').some((form) => forms.has(form)) || [a, b].some((form) => /^(text|opaque.*|empty)$/.test(form));
}

function membersOf({ members: a }: Shape, { members: b }: Shape, at: string): Found[] {
  if (a === undefined || b === undefined) return [];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.flatMap((name): Found[] => {
    const [mine, other] = [a[name], b[name]];
    const place = at === '' ? name : `${at}.${name}`;
    if (mine !== undefined && other !== undefined) return differencesOf(mine, other, place);
    const isOptional = (mine ?? other)?.optional === true;
    return [{ text: `${place} stands on ${mine === undefined ? 'B' : 'A'} only`, isOpen: isOptional }];
  });
}
