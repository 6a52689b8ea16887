// `npm run clients -- --runs 20`: each client with the whole matrix, and whether its runs agree.
import { isDeepStrictEqual } from 'node:util';
import { type Scenario, tryClient } from '../../src/try/index.ts';
import { correctClients } from './correct.ts';
import { mistakes } from './mistakes.ts';
import { rightParts, tour } from './parts.ts';

export const clients: Readonly<Record<string, Scenario>> = {
  ...correctClients,
  ...Object.fromEntries(
    Object.entries(mistakes).map(([name, parts]) => [name, (casa) => tour(casa, { ...rightParts, ...parts })]),
  ),
};

/** Legal, so it is advice. */
const legal = /^gives up /;

/** Returns a sentence about a client that has other results than it should; null otherwise. */
export async function problemOf(name: string, runs: number): Promise<string | null> {
  const scenario = clients[name] as Scenario;
  const first = await tryClient(scenario);
  const found = legal.test(name) ? first.advice : first.violations;
  if (Object.hasOwn(correctClients, name) !== (found.length === 0))
    return `${name}: ${found.map(({ id }) => id).join(', ') || 'not caught'}`;
  if (legal.test(name) && first.violations.length > 0) return `${name}: ${first.violations[0]?.id}, which is legal`;
  for (let run = 2; run <= runs; run += 1)
    if (!isDeepStrictEqual(await tryClient(scenario), first)) return `${name}: run ${run} differs from the first`;
  return null;
}

/** Runs all clients, and prints those with a problem. Returns whether there is no problem. */
export async function runAll(runs: number): Promise<boolean> {
  const problems: string[] = [];
  for (const name of Object.keys(clients)) {
    const startMs = performance.now();
    const problem = await problemOf(name, runs);
    if (problem) problems.push(problem);
    console.log(`${((performance.now() - startMs) / 1000).toFixed(1).padStart(6)} s  ${problem ?? name}`);
  }
  const all = Object.keys(clients).length;
  console.log(`${all - problems.length} of ${all} clients as expected in ${runs} of ${runs} runs.`);
  return problems.length === 0;
}
