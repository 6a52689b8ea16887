// What the proof has to show, as a list with a version: whoever reads a page knows by which of them it was judged.
import type { Evidence } from './evidence.ts';

/** `open`: what would tell was not run, or not as a whole. */
export interface Judged {
  readonly state: 'met' | 'not met' | 'open';
  readonly detail: string;
}

/** One demand. Its id is never used for another one. */
export interface Criterion {
  readonly id: string;
  readonly sentence: string;
  judge(evidence: Evidence): Judged;
}

/** Raised with every change of the list; the changes stand below. */
export const criteriaVersion = 1;
export const criteriaHistory = [{ version: 1, date: '2026-11-22', what: 'The first list, E1 to E8.' }] as const;

const open = (detail: string): Judged => ({ state: 'open', detail });
const met = (isMet: boolean, detail: string): Judged => ({ state: isMet ? 'met' : 'not met', detail });

export const criteria: readonly Criterion[] = [
  {
    id: 'E1',
    sentence: 'Each clause that an answer of a server could break is judged by a check or a rule.',
    judge({ clauses }) {
      const provable = clauses.filter(({ unprovable }) => unprovable === null);
      const without = provable.filter(({ judges }) => judges.length === 0);
      const named = without.length === 0 ? '' : `: ${without.map(({ id }) => id).join(', ')}`;
      return met(without.length === 0, `${without.length} of ${provable.length} such clauses have none${named}`);
    },
  },
  {
    id: 'E2',
    sentence:
      'Each stated or implied clause of that kind is broken by a mutant, or has the reason why none can break it.',
    judge({ clauses }) {
      const due = clauses.filter(({ unprovable, standing }) => unprovable === null && /stated|implied/.test(standing));
      const without = due.filter(({ mutants, unbroken }) => mutants.length === 0 && unbroken === null);
      return met(without.length === 0, `${without.length} of ${due.length} have neither`);
    },
  },
  {
    id: 'E3',
    sentence: 'Each mutant is noticed by a finding about its clause, or has the reason why none may notice it.',
    judge({ proofs: { kill }, clauses, mutants: there }) {
      if (kill === null) return open('not run');
      const mutants = clauses.flatMap(({ mutants: own }) => own);
      const unexcused = mutants.filter(({ grade, excuse }) => grade !== null && grade !== 'right' && excuse === null);
      const judged = mutants.filter(({ grade }) => grade !== null).length;
      const detail = `${unexcused.length} without, of ${judged} judged; there are ${there}`;
      return unexcused.length === 0 && judged < there ? open(detail) : met(unexcused.length === 0, detail);
    },
  },
  {
    id: 'E4',
    sentence: 'The kit raises no alarm on a server without a fault.',
    judge({ proofs: { kill }, tests }) {
      const silent = tests.flatMap((run) => (run.at === null ? [] : run.silent));
      const alarms = [...silent, ...(kill?.result.clean ?? [])].filter(({ alarms: found }) =>
        typeof found === 'number' ? found > 0 : found.length > 0,
      );
      const runs = silent.length + (kill?.result.clean.length ?? 0);
      if (runs === 0) return open('not run');
      const detail = `${alarms.length} of ${runs} runs raised one`;
      const isWhole = silent.some(({ from }) => from.endsWith('audits/silence.deep.test.ts'));
      return alarms.length === 0 && !isWhole ? open(`${detail}, in a part of them`) : met(alarms.length === 0, detail);
    },
  },
  {
    id: 'E5',
    sentence: 'Each value of each reading is learnt again from outside, or has the reason why it cannot be told.',
    judge({ proofs: { identify } }) {
      if (identify === null) return open('not run');
      const { values } = identify.result;
      const missed = values.filter(({ verdict }) => verdict === 'missed').length;
      const detail = `${missed} of ${values.length} values missed`;
      return missed === 0 && !identify.isWhole ? open(`${detail}, in a part of them`) : met(missed === 0, detail);
    },
  },
  {
    id: 'E6',
    sentence: 'No twin differs from its deployment in what is known of both, and none raises an alarm.',
    judge({ proofs: { identify } }) {
      const variants = identify?.result.variants ?? [];
      if (variants.length === 0) return open('not run');
      const odd = variants.filter(({ differs, alarms }) => differs.length + alarms.length > 0);
      return met(odd.length === 0, `${odd.length} of ${variants.length} twins do`);
    },
  },
  {
    id: 'E7',
    sentence: 'Tools from outside find nothing that is not explained.',
    judge({ proofs: { oracles, mcp } }) {
      if (oracles === null && mcp === null) return open('not run');
      const complaints = (oracles?.result ?? []).reduce((sum, { unexplained }) => sum + unexplained, 0);
      const failed = (mcp?.result ?? []).filter(({ verdict }) => verdict === 'fail').length;
      const left = [oracles === null ? 'npm run oracles' : null, mcp === null ? 'npm run mcp:outside' : null];
      const missing = left.filter((name) => name !== null);
      const detail = `${complaints} complaints without a reason, ${failed} failures at the MCP door`;
      const isGood = complaints + failed === 0;
      return isGood && missing.length > 0 ? open(`${detail}; not run: ${missing.join(', ')}`) : met(isGood, detail);
    },
  },
  {
    id: 'E8',
    sentence: 'The packed package works on each runtime that the README names, but for what the runtime itself lacks.',
    judge({ proofs: { runtimes } }) {
      if (runtimes === null) return open('not run');
      const parts = runtimes.result.flatMap(({ parts: each }) => each);
      const failed = parts.filter(({ verdict }) => verdict === 'FAILS').length;
      return met(failed === 0, `${failed} of ${parts.length} trials fail`);
    },
  },
];
