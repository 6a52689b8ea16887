// The meaning of a defect for people who use the API, and the areas that a run leaves out: tables, so that the words
// are the same in every report.
import { count } from '../../src/terminal/count.ts';
import { isTested } from '../judge/result.ts';
import { type Capability, capabilitiesOf, needs, runTable } from '../scenarios/capabilities.ts';
import { type Cause, isOfIsolation } from './diagnosis/causes.ts';
import type { Report } from './report.ts';

/** The gravest first. */
export const impacts = {
  leak: ['Data of other organizations', 'A key can read or change data of another organization.'],
  access: ['Access without a valid key', 'Requests without a valid key succeed.'],
  writes: ['Wrong writes', 'Posts, replies, links or imports are wrongly rejected, accepted, changed or misplaced.'],
  lost: ['Lost or repeated records', 'Clients that read all pages, or poll, miss records or process them twice.'],
  crash: ['Failed requests', 'Requests that should succeed, or be rejected for a stated reason, end in another error.'],
  wrong: ['Wrong records or numbers', 'Clients show or store something else than what they requested.'],
  blocked: ['Blocked clients', 'Limits stop clients too early or too late, or do not say when to retry.'],
  shape: ['Unreadable responses', 'Clients with types or generated code reject responses, or lose values.'],
  errors: ['Misleading errors', 'Clients handle an error in the wrong way: they retry, give up, or ask for a new key.'],
} as const;
export type Impact = keyof typeof impacts;

/** By the violated clause, and the observed value where it matters. The first row that matches counts. */
const rows: readonly (readonly [Impact, RegExp, RegExp?])[] = [
  ['leak', /^(1\.(organization-scope|foreign-record)|5\.key-organization)$/],
  ['access', /^([57]\.|4\.bearer)/, /^2\d\d/],
  ['crash', /./, /^5\d\d/],
  ['crash', /endpoint$|^4\.sites\.list$/, /^4\d\d/],
  ['blocked', /^(8\.(key-|address-|headers|blocked|retry)|7\.(retry|envelope\.(limiter|mcp))|5\.limiter|4\.any-429)/],
  ['errors', /^[57]\.|statuses|not-found|unknown|malformed|missing-site|bad-|calls\.envelope/],
  [
    'writes',
    /^(1\.read-only|4\.rules\.path-wins|4\.connect\.(create|reply)|2\.[\w-]+-input|8\.(body|import|label|max-|post|reply))/,
  ],
  ['lost', /walk$|cursor|\.end$|exactly-once|-first$|settled|snapshot|\.order$|calls\.since|no-return/],
  ['shape', /^(2|9)\.|envelope|\.shape$|4\.json|1\.(http|mcp)/],
  ['wrong', /./],
];

export function impactOf({ checks, clauses: [clause], finding }: Cause): Impact {
  const named = clause ?? finding.clause;
  const actual = finding.pointer === '#status' ? finding.actual : '';
  const fits = rows.find(([, clauses, value = /^/]) => clauses.test(named) && value.test(actual));
  return checks.some(isOfIsolation) ? 'leak' : (fits?.[0] ?? 'wrong');
}

export function gravestOf(all: readonly Impact[]): Impact {
  return (Object.keys(impacts) as Impact[]).find((impact) => all.includes(impact)) ?? 'wrong';
}

/** Something a reader takes for tested unless the report says otherwise. */
export interface Area {
  readonly name: string;
  readonly question: string;
  /** How to test it: words first, then the flag or the variable. */
  readonly how: string;
  /** The checks that the run skipped for it; 0 where it ended before. */
  readonly checks: number;
}

type AreaRow = Omit<Area, 'checks'> & { readonly needs: readonly Capability[] };

const areas: readonly AreaRow[] = [
  {
    name: 'The REST API',
    question: 'Everything except the MCP endpoint',
    how: 'test the deployment: --base-url URL',
    needs: ['rest'],
  },
  {
    name: 'Isolation between organizations',
    question: 'Whether a key can read or change data of another organization',
    how: `a key of another organization, in ${needs['second-key'].flag}`,
    needs: ['second-key'],
  },
  {
    name: 'Revoked keys',
    question: 'Whether a key still works after it was revoked',
    how: `a revoked key, in ${needs['revoked-key'].flag}`,
    needs: ['revoked-key'],
  },
  {
    name: 'Writes',
    question: 'Whether links, posts and replies are created once, in the right place, and only from valid input',
    how: 'permission to write to a test account: --account ID --allow-writes',
    needs: ['account', 'writes:links', 'writes:posts', 'writes:replies'],
  },
  {
    name: 'MCP',
    question: 'Whether the tools for agents return the same data, and share limits with REST',
    how: 'the address of the MCP endpoint: --mcp-url URL',
    needs: ['mcp'],
  },
  {
    name: 'Import of contacts',
    question: 'Whether an import accepts as many contacts as promised',
    how: 'permission to import test contacts: --mcp-url URL --allow-writes=contacts',
    needs: ['writes:contacts'],
  },
  {
    name: 'Calls over time',
    question: 'Whether each new call appears exactly once, about five minutes after its end',
    how: 'a run of about 8 minutes: --watch --call-id-field NAME --call-ended-at-field NAME',
    needs: ['watch', 'call-id-field', 'call-ended-at-field'],
  },
  {
    name: 'Rate limits under load',
    question: 'Whether the API blocks too many requests, and only those',
    how: 'permission to send bursts: a run without --gentle',
    needs: ['burst'],
  },
  {
    name: 'The rate limit of a key',
    question: 'Whether a key is limited across several addresses',
    how: 'four local addresses to send from: --source-address ADDRESS, four times',
    needs: ['source-addresses'],
  },
];

/** The areas that the run could not test, because something was not given to it. */
export function untestedAreas({ inputs, checks, coverage, abort, recorded, compared }: Report): Area[] {
  if (compared !== undefined) return [];
  if (abort !== null && checks.length === 0)
    return [{ name: 'Everything', question: 'The run ended before its first check', how: 'run it again', checks: 0 }];
  const skipped = checks.flatMap(({ result }) => (result.kind === 'skipped' ? [result.message ?? ''] : []));
  const isLate = (why: string | null) => why?.includes('--minutes') === true;
  const late = coverage.filter(({ provable, why }) => provable && isLate(why)).length;
  const rest = coverage.filter(
    ({ provable, result, why }) => provable && !isTested(result) && !isLate(why) && why?.includes('needs -') !== true,
  ).length;
  const isChoice = (inputs?.options.only ?? inputs?.options.skip ?? []).length > 0;
  const others: readonly (Area | false)[] = [
    abort !== null && {
      name: 'The rest of the run',
      question: 'All that follows the request at which the run ended early',
      how: 'run it again, and let it finish',
      checks: 0,
    },
    recorded !== null && {
      name: 'Everything that nobody recorded',
      question: 'Pagination, order, rate limits, isolation and invalid input, except by chance',
      how: 'a run against the deployment: --base-url URL',
      checks: 0,
    },
    isChoice && {
      name: 'Checks that were not chosen',
      question: 'Everything outside of the chosen checks',
      how: 'a run without --only and --skip',
      checks: 0,
    },
    rest > 0 && {
      name: 'Single requirements',
      question: `${count(rest, 'requirement')} that no response of this run could show`,
      how: 'read the reason of each in the HTML report, under Coverage',
      checks: 0,
    },
    late > 0 && {
      name: 'Rarer cases',
      question: 'Input and records that a short run has no time for',
      how: 'a longer run: --minutes 8',
      checks: skipped.filter(isLate).length,
    },
  ];
  return [...(inputs === undefined ? [] : unmetIn(inputs, skipped)), ...others.filter((area) => area !== false)];
}

function unmetIn(
  { options, standIns, isOfMcpEndpoint }: NonNullable<Report['inputs']>,
  skipped: readonly string[],
): Area[] {
  // With `conformance mcp`, the endpoint is the target.
  const given = isOfMcpEndpoint ? { ...options, mcpUrl: '-' } : options;
  const met = capabilitiesOf(runTable.settle(given), standIns, isOfMcpEndpoint);
  return areas.flatMap(({ needs: own, ...area }) => {
    const flags = own.filter((need) => !met.has(need)).map((need) => needs[need].flag);
    const isNamed = (message: string) => flags.some((flag) => message.includes(flag));
    return flags.length === 0 ? [] : [{ ...area, checks: skipped.filter(isNamed).length }];
  });
}
