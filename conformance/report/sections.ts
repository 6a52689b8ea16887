// The sections of the contract, by which reports are ordered.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { Section } from '../../src/contract/sections.ts';

export { type Section, sections } from '../../src/contract/sections.ts';

/** The first part of a clause id is the number of its section. */
export function isInSection(clause: ClauseId, section: Section): boolean {
  return clause.startsWith(`${section.number}.`);
}
