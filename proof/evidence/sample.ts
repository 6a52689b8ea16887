// Results as the proofs leave them, small, with one of each kind of trouble.
import type { VariantRow } from '../identify/identify.ts';
import type { Kill } from '../kill/kill.ts';
import { gate } from '../kill/kill-gate.ts';
import { excuses } from '../kill/unkillable.ts';
import { allMutants } from '../rigs/targets.ts';
import type { Results } from './proofs.ts';

/** Noticed, noticed for another reason, not noticed. */
export function sampleResults(): Results {
  const free = allMutants().filter(({ name, of }) => excuses.unkillable[`${of}/${name}`] === undefined);
  const kills = free.slice(0, 3).map(({ start: _start, ...mutant }, index): Kill => {
    const killer = { check: 'sites/list', clauses: [mutant.breaks], isRight: true, took: [] };
    return { mutant, killers: index === 2 ? [] : [killer], errors: [], abort: null };
  });
  const checks = [{ id: 'sites/list', title: 'Sites are listed', level: 'must', cites: ['4.sites.list'] } as const];
  const matrix = { kills, checks, clean: [{ name: 'the mock', alarms: [] }], seconds: 3 };
  const [before, after] = [30, 49].map((same) => {
    return { readings: { compared: 50, same }, clauses: { compared: 120, same } };
  }) as [VariantRow['before'], VariantRow['after']];
  const twin = { requests: 60, seconds: 63, requestsAgain: 9, before, after, notLearnt: [], alarms: [] };
  return {
    kill: { ...matrix, gate: gate(matrix, excuses, false) },
    identify: {
      values: [
        { id: 'articleOrder', value: 'newest', verdict: 'identified', why: '' },
        { id: 'articleOrder', value: 'oldest', verdict: 'missed', why: 'learnt "newest"' },
        { id: 'lockedReads', value: 'ok', verdict: 'not told', why: 'no account is locked' },
      ],
      variants: [{ ...twin, variant: 'plain', differs: ['articleOrder: "newest" became "<oldest>"'] }],
    },
    oracles: [
      {
        tool: 'dredd',
        tests: 12,
        complaints: 2,
        unexplained: 1,
        reasons: [{ count: 1, reason: 'It knows no `state`.' }],
      },
    ],
    mcp: [
      { question: 'inspector: tools/list', verdict: 'pass' },
      { question: 'conformance: prompts-list', verdict: 'not applicable', why: 'no prompts' },
    ],
    runtimes: [
      {
        runtime: 'Node 24',
        parts: [
          { part: 'startMock', verdict: 'ok' },
          { part: 'msw 3', verdict: '-' },
        ],
      },
    ],
    bench: {
      load: 1.2,
      isQuick: true,
      races: [
        {
          title: 'GET',
          rows: [{ server: 'node:http', perSecond: 9000, byRequests: 1, byCpu: 1, p50Ms: 0.6, p99Ms: 1.9 }],
        },
      ],
    },
  };
}
