import type { Wrongness } from '../seams.ts';
import type { Ask, Issue } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';

// Ways to judge the inputs of a write wrongly.

export function copyIssue(path: string, bad: boolean): readonly Issue[] {
  return bad ? [{ path, message: 'does not fit' }] : [];
}

/** Leaves out the problems at a path, or adds some, for one operation. */
export function issuesOf(
  operation: 'post' | 'reply',
  change: (issues: readonly Issue[], ask: Ask) => readonly Issue[],
): () => Wrongness {
  return () => ({
    'schema.issues': (issues, about) => (about.operation === operation ? change(issues, about.ask) : issues),
  });
}

interface Text {
  /** How the names of the mutants begin. */
  called: string;
  member: string;
  max: number;
  /** The clause about the length. */
  lengthClause: string;
  /** The clause about the member. */
  memberClause: string;
  /** The subject of the sentences that say how a mutant shows. */
  subject: string;
}

type Bounds = { min: number; max: number };

/** One text of an input with every mistake that its length and its type invite. */
export function textMutants({ called, member, max, lengthClause, memberClause, subject }: Text): MutantsByClause {
  const isMine = (rule: { name: string; max: number }): boolean => rule.name === member && rule.max === max;
  const bounds = (change: (bounds: Bounds) => Bounds) => (): Wrongness => ({
    'text.bounds': (usual, rule) => (isMine(rule) ? change(usual) : usual),
  });
  const lengths: Record<string, [shows: string, wrong: () => Wrongness]> = {
    'one-longer': [`${subject} of ${max + 1} characters is accepted.`, bounds((usual) => ({ ...usual, max: max + 1 }))],
    'one-shorter': [
      `${subject} of exactly ${max} characters is refused.`,
      bounds((usual) => ({ ...usual, max: max - 1 })),
    ],
    empty: [`${subject} without a character is accepted.`, bounds((usual) => ({ ...usual, min: 0 }))],
    'in-bytes': [
      `${subject} of ${max} characters of two bytes each is refused.`,
      () => ({ 'text.length': (usual, rule) => (isMine(rule) ? Buffer.byteLength(rule.text) : usual) }),
    ],
  };
  const types: typeof lengths = {
    missing: [
      `A body without ${member} is accepted.`,
      () => ({ 'text.value': (value, rule) => (value === undefined && isMine(rule) ? 'Untitled' : value) }),
    ],
    'of-any-type': [
      `A number in the place of ${member} is accepted.`,
      () => ({ 'text.value': (value, rule) => (typeof value === 'number' && isMine(rule) ? String(value) : value) }),
    ],
  };
  const rows = (of: typeof lengths) =>
    Object.fromEntries(
      Object.entries(of).map(([suffix, [shows, wrong]]) => [
        `${called}-${suffix}`,
        { shows, needs: 'writes', wrong } as const,
      ]),
    );
  return { [lengthClause]: rows(lengths), [memberClause]: rows(types) };
}
