// `--mutant NAME`: the mutants are loaded when one is asked for, because there are hundreds and most runs want none.
import type { Act, Mutant } from '../mutants/index.ts';
import type { Paint } from '../terminal/paint.ts';
import { UsageError } from '../terminal/usage-error.ts';
import type { MockSettings } from './settings.ts';

/** A mutant with the sentence of the contract, for banner and notices. */
export interface ChosenMutant extends Mutant {
  /** The fact of the clause that it breaks. */
  readonly fact: string;
}

/** The mutant that the settings name, or null. Rejects with a `UsageError` for a name that there is not. */
export async function loadMutant({ mutant: name }: Pick<MockSettings, 'mutant'>): Promise<ChosenMutant | null> {
  if (name === null) return null;
  const { mutantNamed } = await import('../mutants/index.ts');
  const { clauses } = await import('../contract/generated/clauses.ts');
  try {
    const mutant = mutantNamed(name);
    return { ...mutant, fact: clauses[mutant.breaks].fact };
  } catch (error) {
    throw new UsageError((error as RangeError).message);
  }
}

/** Notices about a mutant next to the other settings, one sentence each. */
export function mutantNotices({ needs, world: own, name }: Mutant, settings: MockSettings): string[] {
  const { limits, settleS, data, world, save } = settings;
  const notices: string[] = [];
  const hidesLimits = !limits && (needs === 'bursts' || needs === 'addresses');
  if (hidesLimits || (settleS === 0 && needs === 'watch')) {
    notices.push(`${name} might not show with --relaxed, which turns off rate limits and settling. Remove it.`);
  }
  if (own !== undefined && (data !== null || (world ?? own) !== own)) {
    notices.push(`${name} might show only in the world ${own}.`);
  }
  if (save !== null)
    notices.push('The save file contains changes by the mutant. Use another file to start a correct mock.');
  return notices;
}

/** The line of the log under a request that the mutant changed. */
export function mutantLine({ what, ownStatus, status }: Act, name: string, paint: Paint): string {
  return `         ${paint('red', `mutant ${name}: ${deed()}`)}\n`;

  function deed(): string {
    if (what === 'request') return 'changed this request before the mock handled it';
    if (ownStatus === null) return `returned ${status} instead of the mock`;
    return status === ownStatus ? 'changed this response' : `the client got ${status} instead of ${ownStatus}`;
  }
}
