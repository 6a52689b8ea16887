import type { Code } from '../errors.ts';
import type { Seams, Visit, Wrongness } from '../seams.ts';
import type { Answer } from '../types.ts';

// Ways to answer refusals wrongly.

export type About = Seams['error.answer']['about'];

export function operation(name: string): (visit: Visit) => boolean {
  return ({ segments }) => segments[3] === name;
}

/** Changes the answer to refusals of one code, on one operation if told. */
export function on(
  code: Code,
  change: (answer: Answer, about: About) => Answer,
  where: (visit: Visit) => boolean = () => true,
): () => Wrongness {
  return () => ({
    'error.answer': (answer, about) =>
      about.refusal.code === code && where(about.visit) ? change(answer, about) : answer,
  });
}
