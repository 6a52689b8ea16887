// A mutant states what a client must be allowed to do, or be given, to see it. The kit shows what it took to kill it.
// Parameters of a run, such as an account or the address of the MCP door, are not permissions and count as given.

import { checks } from '../../conformance/checks/index.ts';
import type { CheckResult, Finding } from '../../conformance/judge/verdict.ts';
import type { Capability } from '../../conformance/probe/capabilities.ts';
import type { Report, StoredExchange } from '../../conformance/report/report.ts';
import type { Need } from '../../src/mutants/index.ts';

/** What a user has to grant for a run to see more. */
export type Permission = Exclude<Need, 'nothing'>;

const permissionOf: Readonly<Partial<Record<Capability, Permission>>> = {
  'writes:posts': 'writes',
  'writes:replies': 'writes',
  'writes:links': 'writes',
  'writes:contacts': 'writes',
  'source-addresses': 'addresses',
  'second-key': 'second-key',
  'revoked-key': 'revoked-key',
  watch: 'watch',
};

const needsOf = new Map(checks.map(({ id, needs = [] }) => [id, needs.flatMap((need) => permissionOf[need] ?? [])]));

/** The permissions that a check used for its findings. A rule judges whatever was sent, so its exchange tells them. */
export function permissionsTaken(check: CheckResult, findings: readonly Finding[], report: Report): Permission[] {
  const needs = needsOf.get(check.id);
  // The capability `burst` stands for all that --gentle leaves out, large bodies among it: what was sent tells of a
  // burst.
  if (needs) return [...new Set([...needs, ...(hasBurst(check, report) ? (['bursts'] as const) : [])])];
  const shown = report.exchanges.filter(({ id }) => findings.some(({ exchange }) => exchange === id));
  // A run with several addresses sends from the first of them, unless a check asks for another one.
  const own = report.exchanges[0]?.address ?? null;
  const [cheapest = []] = shown.map((each) => permissionsOf(each, own)).sort((a, b) => a.length - b.length);
  return cheapest;
}

/** Whether the check sent many at once. A single read that came out of pace is an ordinary one that checks share. */
function hasBurst({ exchanges }: CheckResult, report: Report): boolean {
  return report.exchanges.filter(({ id, burst }) => burst && exchanges.includes(id)).length > 1;
}

/** By what was sent: a request that was refused wrote nothing. */
function permissionsOf({ method, status, key, address, burst }: StoredExchange, own: string | null): Permission[] {
  const taken: Partial<Record<Permission, boolean>> = {
    writes: method !== 'GET' && status > 0 && status < 400,
    bursts: burst,
    addresses: address !== own,
    'second-key': key === 'second',
    'revoked-key': key === 'revoked',
  };
  return (Object.keys(taken) as Permission[]).filter((name) => taken[name]);
}

/** Whether the need that a mutant states covers what was taken. Several addresses are of use in bursts only. */
export function isWithin(need: Need, taken: readonly Permission[]): boolean {
  return taken.every((name) => need.split(' and ').includes(name) || (need === 'addresses' && name === 'bursts'));
}
