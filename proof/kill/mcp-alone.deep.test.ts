import { describe, expect, test } from 'vitest';
import {
  allMutants,
  failuresOn,
  type MutantRow,
  runSuite,
  startIndependentTarget,
  startMockTarget,
  type Target,
} from '../../fixtures/test-kit/targets.ts';
import { gradeOf, killOne } from './kill.ts';

/** The same server, with its MCP endpoint as the whole target, as `conformance mcp` checks one. */
async function mcpEndpointAlone(start: () => Promise<Target>): Promise<Target> {
  const { options, close } = await start();
  const { mcpUrl, account: _, ...rest } = options;
  if (mcpUrl === undefined) throw new Error('This target shows no MCP endpoint.');
  return { options: { ...rest, baseUrl: mcpUrl, mcpEndpoint: 'mcp' }, close };
}

const mutantsOfMcpEndpoint: readonly MutantRow[] = allMutants()
  .filter(({ name }) => name.startsWith('mcp-'))
  .map((row) => ({ ...row, start: () => mcpEndpointAlone(row.start) }));

/** One of each clause, of the implementation that comes first; the others are of the same kinds. */
const rows = [...new Map(mutantsOfMcpEndpoint.map((row) => [row.breaks, row])).values()];

/** Needs the REST API too, or a key that opens one of them. */
const beyond = '8.key-window-shared 8.address-window 1.mcp-door 1.organization-scope 4.rules.reviews-walk'.split(' ');

describe('the MCP endpoint as the whole target', () => {
  test('is checked without one request to the REST service, within the plan', async () => {
    const report = await runSuite(await mcpEndpointAlone(() => startMockTarget()));
    expect(report.exchanges.filter(({ target, method }) => target !== '/mcp' || method === 'GET')).toEqual([]);
    expect(report.checks.filter(({ result }) => /fail|error/.test(result.kind))).toEqual([]);
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
    const { result } = report.checks.find(({ id }) => id === 'mcp/window-shared') ?? {};
    expect(result).toMatchObject({ kind: 'skipped', message: 'needs --base-url URL' });
    const proven = report.coverage.filter(({ result }) => result === 'pass');
    expect(proven.length).toBeGreaterThan(25);
    const open = report.coverage.find(({ clause }) => clause === '4.articles.list.walk');
    expect(open?.why).toMatch(/checks the REST service, which needs --base-url URL$/);
  });

  test('reports its name, its protocol and its tools in a note', async () => {
    const { options, close } = await mcpEndpointAlone(() => startMockTarget());
    const target = { options: { ...options, only: ['mcp/door', 'mcp/capabilities'] }, close };
    const [note] = (await runSuite(target)).checks.find(({ id }) => id === 'mcp/capabilities')?.findings ?? [];
    expect(note?.actual).toMatch(/^casa 1\.0\.0; protocol [\d-]+; capabilities: tools; \d+ tools: .*calls_log/);
  });

  test.each(rows.filter(({ breaks }) => !beyond.includes(breaks)))('shows $name of $breaks', async (row) => {
    const kill = await killOne(row);
    expect([gradeOf(kill), kill.errors, kill.abort]).toEqual(['right', [], null]);
  });

  test('passes the greased mock', async () => {
    expect(await failuresOn(await mcpEndpointAlone(() => startMockTarget({ grease: 1 })))).toEqual([]);
  });

  test.each(['plain', 'lavish', 'frugal'])('passes the legal variant %s', async (variant) => {
    expect(await failuresOn(await mcpEndpointAlone(() => startIndependentTarget({ variant })))).toEqual([]);
  });
});
