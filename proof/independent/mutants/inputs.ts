import { uuidOf } from '../ids.ts';
import type { Wrongness } from '../seams.ts';
import type { Provider } from '../types.ts';
import { bodyOf, type IndependentMutant } from './mutant.ts';

interface Text {
  /** How the mutants are called. */
  called: string;
  /** The member, its length, and the clauses about the length and about the member. */
  name: string;
  max: number;
  length: string;
  member: string;
  what: string;
}

type Bounds = { min: number; max: number };

/** One text of an input with every mistake its length and its type invite. */
function textMutants(text: Text): readonly IndependentMutant[] {
  const { called, name, max, length, member, what } = text;
  const mine = (rule: { name: string; max: number }): boolean => rule.name === name && rule.max === max;
  const bounds = (change: (bounds: Bounds) => Bounds): Wrongness => ({
    'text.bounds': (usual, rule) => (mine(rule) ? change(usual) : usual),
  });
  const make = (suffix: string, breaks: string, shows: string, wrong: () => Wrongness): IndependentMutant => ({
    name: `${called}-${suffix}`,
    breaks,
    shows,
    needs: 'writes',
    variants: suffix === 'empty' ? ['plain', 'lavish'] : ['plain', 'lavish', 'strict'],
    wrong,
  });
  return [
    make('one-longer', length, `${what} of ${max + 1} characters is accepted.`, () =>
      bounds((usual) => ({ ...usual, max: max + 1 })),
    ),
    make('one-shorter', length, `${what} of exactly ${max} characters is refused.`, () =>
      bounds((usual) => ({ ...usual, max: max - 1 })),
    ),
    make('empty', length, `${what} without a character is accepted.`, () => bounds((usual) => ({ ...usual, min: 0 }))),
    make('in-bytes', length, `${what} of ${max} characters of two bytes each is refused.`, () => ({
      'text.length': (usual, rule) => (mine(rule) ? Buffer.byteLength(rule.text) : usual),
    })),
    make('missing', member, `A body without ${name} is accepted.`, () => ({
      'text.value': (value, rule) => (value === undefined && mine(rule) ? 'Untitled' : value),
    })),
    make('of-any-type', member, `A number in the place of ${name} is accepted.`, () => ({
      'text.value': (value, rule) => (typeof value === 'number' && mine(rule) ? String(value) : value),
    })),
  ];
}

export const textInputMutants: readonly IndependentMutant[] = [
  ...textMutants({
    called: 'link-label',
    name: 'label',
    max: 80,
    length: '8.label',
    member: '2.connect-account-input.label',
    what: 'A label',
  }),
  ...textMutants({
    called: 'post-text',
    name: 'text',
    max: 5000,
    length: '8.post-text',
    member: '2.create-post-input.text',
    what: 'The text of a post',
  }),
  ...textMutants({
    called: 'reply-text',
    name: 'text',
    max: 4096,
    length: '8.reply-text',
    member: '2.reply-review-input.text',
    what: 'The text of a reply',
  }),
];

/** The other members of the body that asks for a link. */
export const linkInputMutants: readonly IndependentMutant[] = [
  {
    name: 'link-provider-unchecked',
    breaks: '2.connect-account-input.provider',
    shows: 'Any string is accepted as a provider.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'provider.found': (found, value) => (typeof value === 'string' ? (value as Provider) : found),
    }),
  },
  {
    name: 'link-provider-in-capitals',
    breaks: '2.connect-account-input.provider',
    shows: 'A provider in capitals is accepted.',
    needs: 'writes',
    variants: ['plain', 'lavish'],
    wrong: () => ({ 'provider.value': (value) => (typeof value === 'string' ? value.toLowerCase() : value) }),
  },
  {
    name: 'link-provider-last-forgotten',
    breaks: '2.connect-account-input.provider',
    shows: 'google_contacts, the last of the nine providers, is refused.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'provider.found': (found) => (found === 'google_contacts' ? undefined : found) }),
  },
  {
    name: 'link-max-accounts-21',
    breaks: '8.max-accounts',
    shows: 'maxAccounts 21 is accepted.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'max-accounts.bounds': (bounds) => ({ ...bounds, max: 21 }) }),
  },
  {
    name: 'link-max-accounts-20-refused',
    breaks: '8.max-accounts',
    shows: 'maxAccounts 20 is refused.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'max-accounts.bounds': (bounds) => ({ ...bounds, max: 19 }) }),
  },
  {
    name: 'link-max-accounts-zero',
    breaks: '8.max-accounts',
    shows: 'maxAccounts 0 is accepted.',
    needs: 'writes',
    variants: ['plain', 'lavish'],
    wrong: () => ({ 'max-accounts.bounds': (bounds) => ({ ...bounds, min: 0 }) }),
  },
  {
    name: 'link-max-accounts-fraction',
    breaks: '2.connect-account-input.max-accounts',
    shows: 'maxAccounts 1.5 is accepted.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'max-accounts.bounds': (bounds) => ({ ...bounds, whole: false }) }),
  },
  {
    name: 'link-max-accounts-text',
    breaks: '2.connect-account-input.max-accounts',
    shows: 'maxAccounts "5", a string, is accepted.',
    needs: 'writes',
    variants: ['plain', 'offsets'],
    wrong: () => ({
      'max-accounts.value': (value) => (typeof value === 'string' && value !== '' ? Number(value) : value),
    }),
  },
  {
    name: 'link-max-accounts-default-twenty',
    breaks: '2.connect-account-input.max-accounts-default',
    shows: 'A link asked for without maxAccounts stands among the pending invites with 20.',
    needs: 'writes',
    variants: ['plain', 'strict', 'empty'],
    wrong: () => ({ 'max-accounts.bounds': (bounds) => ({ ...bounds, fallback: bounds.max }) }),
  },
  {
    name: 'link-made-though-refused',
    breaks: '4.connect.create-link.invalid',
    shows: 'A body with a label and a bad provider answers 400, and yet its label stands among the pending invites.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'schema.issues': (issues, { context, ask, operation }) => {
        const { label } = bodyOf(ask);
        if (operation !== 'link' || issues.length === 0 || typeof label !== 'string') return issues;
        const id = uuidOf(`early/${ask.org.invites.length}`, context.variant.idVersion);
        const expires = ask.at + 72 * 3_600_000;
        ask.org.invites.push({ id, label, provider: 'tiktok', maxAccounts: 1, expires });
        return issues;
      },
    }),
  },
];
