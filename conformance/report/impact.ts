// The meaning of a defect for people who use the API, and the areas that a run leaves out, as tables: all reports use
// the same words.
import { count } from '../../src/terminal/count.ts';
import { isTested } from '../judge/result.ts';
import { type Capability, capabilitiesOf, needs, runTable } from '../scenarios/capabilities.ts';
import { isOfIsolation } from './coverage.ts';
import type { Cause } from './diagnosis/causes.ts';
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
  errors: [
    'Misleading errors',
    'Clients handle a mistake in the wrong way: they miss it, retry, give up, or ask for a new key.',
  ],
} as const;
export type Impact = keyof typeof impacts;

/** By the violated clause, and the observed value where it matters. The first row that matches counts. */
const rows: readonly (readonly [Impact, RegExp, RegExp?])[] = [
  ['leak', /^(1\.(organization-scope|foreign-record)|5\.key-organization)$/],
  ['access', /^([57]\.|4\.bearer)/, /^2\d\d/],
  ['crash', /./, /^5\d\d/],
  ['writes', /^(4\.connect\.(create|reply)|2\.[\w-]+-input)/, /^2\d\d/],
  ['wrong', /unknown|malformed|invalid|missing-site|bad-|not-found/, /^2\d\d/],
  ['crash', /endpoint$|^4\.sites\.list$/, /^4\d\d/],
  ['blocked', /^(8\.(key-|address-|headers|blocked|retry)|7\.(retry|envelope\.(limiter|mcp))|5\.limiter|4\.any-429)/],
  ['errors', /^[57]\.|statuses|not-found|unknown|malformed|invalid|missing-site|bad-|calls\.envelope/],
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

/** The areas that the run left out. A choice of checks leaves out everything else on purpose. */
export function untestedAreas(report: Report): Area[] {
  const { inputs, checks, coverage, abort, recorded, compared } = report;
  if (compared !== undefined) return [];
  if (abort !== null && checks.length === 0)
    return [{ name: 'Everything', question: 'The run ended before its first check', how: 'run it again', checks: 0 }];
  const { only = [], skip = [] } = inputs?.options ?? {};
  const skipped = checks.flatMap(({ result }) => (result.kind === 'skipped' ? [result.message ?? ''] : []));
  const open = coverage.filter(({ provable, result }) => provable && !isTested(result));
  const late = open.filter(({ why }) => isLate(why));
  const rest = open.filter(({ why }) => !isLate(why) && why?.includes('needs -') !== true);
  const isWhole = only.length === 0;
  const unmet = inputs === undefined ? [] : unmetIn(inputs, skipped);
  return [
    ...area(abort !== null, [
      'The rest of the run',
      'All that follows the request at which the run ended early',
      'run it again, and let it finish',
    ]),
    ...area(recorded !== null, [
      'Everything outside of the recording',
      'Pagination, order, rate limits, isolation and invalid input, except by chance',
      'a run against the deployment: --base-url URL',
    ]),
    ...area(!isWhole || skip.length > 0, [
      'Checks that were not chosen',
      'Everything outside of the chosen checks',
      'a run without --only and --skip',
    ]),
    ...unmet.filter(({ checks: number }) => isWhole || number > 0),
    ...area(
      late.length > 0 && isWhole && recorded === null,
      ['Rarer cases', 'Input and records that a short run has no time for', 'a longer run: --minutes 8'],
      skipped.filter(isLate).length,
    ),
    ...area(rest.length > 0 && isWhole, [
      'Single requirements',
      `${count(rest.length, 'requirement')} that no response of this run could show`,
      'read the reason of each in the HTML report, under Coverage',
    ]),
  ];
}

type AreaTexts = readonly [name: string, question: string, how: string];

function area(isOpen: boolean, [name, question, how]: AreaTexts, checks = 0): Area[] {
  return isOpen ? [{ name, question, how, checks }] : [];
}

const isLate = (why: string | null) => why?.includes('--minutes') === true;

/** Areas that need something which was not given to the run. */
function unmetIn(
  { options, standIns, isOfMcpEndpoint }: NonNullable<Report['inputs']>,
  skipped: readonly string[],
): Area[] {
  // With `conformance mcp`, the endpoint is the target.
  const given = isOfMcpEndpoint ? { ...options, mcpUrl: '-' } : options;
  const met = capabilitiesOf(runTable.settle(given), standIns, isOfMcpEndpoint);
  let left = skipped;
  return areas.flatMap(({ needs: own, ...area }) => {
    const flags = own.filter((need) => !met.has(need)).map((need) => needs[need].flag);
    const isNamed = (message: string) => flags.some((flag) => message.includes(flag));
    const found = { ...area, checks: left.filter(isNamed).length };
    // A check that needs two areas counts in the first.
    left = left.filter((message) => !isNamed(message));
    const isOfRest = isOfMcpEndpoint && found.checks === 0 && !own.includes('rest');
    return flags.length === 0 || isOfRest ? [] : [found];
  });
}
