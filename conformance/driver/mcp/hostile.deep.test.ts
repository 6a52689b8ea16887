import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Scripted, startScriptedServer, startTcpServer } from '../../../fixtures/test-kit/scripted-server.ts';
import { virtualClock } from '../../../fixtures/test-kit/virtual-clock.ts';
import { checks as all } from '../../checks/index.ts';
import { type Report, runConformance } from '../../index.ts';

const checks = all.filter(({ id }) => id.startsWith('mcp/') || /^(sites|calls)\/list/.test(id));
const requestsMax = 60;

async function audit(origin: string, mcpEndpoint: string): Promise<Report> {
  const report = await runConformance({
    baseUrl: `${origin}/api/v1`,
    mcpUrl: `${mcpEndpoint}/mcp`,
    keys: { good: 'key_0123456789abcdef0123456789abcdef' },
    clock: virtualClock(Date.UTC(2026, 0, 1)),
    timeoutMs: 250,
    checks,
    gentle: true,
  });
  expect(report.abort).toBeNull();
  expect(report.used.requests).toBeLessThan(requestsMax);
  return report;
}

function resultOf(report: Report, id: string): string {
  const { result: outcome } = report.checks.find((check) => check.id === id) ?? { result: { kind: 'not run' } };
  return [outcome.kind, ...('reason' in outcome ? [outcome.reason] : [])].join(' ');
}

type HttpResponse = (request: IncomingMessage) => Scripted;

async function auditScript(response: HttpResponse): Promise<Report> {
  const server = await startScriptedServer((path, request) => (path.startsWith('/mcp') ? response(request) : {}));
  onTestFinished(server.close);
  const { origin } = new URL(server.baseUrl);
  return audit(origin, origin);
}

async function auditRaw(response: (socket: Socket) => void): Promise<Report> {
  const [rest, mcpEndpoint] = [await startScriptedServer(() => ({})), await startTcpServer(response)];
  onTestFinished(rest.close);
  onTestFinished(mcpEndpoint.close);
  return audit(new URL(rest.baseUrl).origin, mcpEndpoint.origin);
}

const both = (reason: string) => [`inconclusive ${reason}`, `inconclusive ${reason}`] as const;
const html = { 'content-type': 'text/html' };

describe('at the MCP URL', () => {
  test.each<[string, HttpResponse, mcpEndpoint: string, behind?: string]>([
    ['a web page', () => ({ headers: html, body: '<!doctype html>' }), 'inconclusive precondition'],
    ['nothing', () => ({ status: 404, body: { error: { code: 'not_found' } } }), 'inconclusive precondition'],
    ['a redirect', () => ({ status: 307, headers: { location: '/mcp/' } }), 'inconclusive precondition'],
    ['a gateway without a service', () => ({ status: 503, headers: html, body: 'down' }), ...both('platform')],
    ['a limiter', () => ({ status: 429, headers: { 'retry-after': '3600' }, body: {} }), ...both('interference')],
    ['consent to everything', () => ({ status: 202, body: '' }), 'inconclusive precondition'],
    ['a breakdown', () => ({ status: 500, body: {} }), 'fail'],
    ['a lock', () => ({ status: 401, body: { error: { code: 'unauthorized', message: '' } } }), 'fail'],
    ['JSON of another kind', () => ({ body: { hello: 'world' } }), 'fail'],
    ['a response to another client', () => ({ body: { jsonrpc: '2.0', id: 'else', result: {} } }), 'fail'],
    ['a body of nine megabytes', () => ({ body: `{"a":"${' '.repeat(9_000_000)}"}` }), 'error', 'error'],
  ])('%s ends in a result', async (_, response, mcpEndpoint, behind = 'inconclusive precondition') => {
    const report = await auditScript(response);
    expect(resultOf(report, 'mcp/door')).toBe(mcpEndpoint);
    expect(resultOf(report, 'mcp/customers-max')).toBe(behind);
    expect(resultOf(report, 'sites/list')).toBe('pass');
  });

  test.each<[string, (socket: Socket) => void]>([
    ['silence', () => undefined],
    ['a reset', (socket) => socket.resetAndDestroy()],
    [
      'an endless stream of events',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n');
        const pour = setInterval(() => socket.write(': ping\n\ndata: {"jsonrpc":"2.0","method":"x"}\n\n'), 5);
        socket.on('close', () => clearInterval(pour));
      },
    ],
  ])('%s ends in a result', async (_, response) => {
    expect(resultOf(await auditRaw(response), 'mcp/door')).toBe('error');
  });
});

/**
 * Reads the message from the padding of the script: the server distinguishes methods by the header of newer clients, or
 * by count.
 */
function mcpEndpoint(result: (method: string, count: number) => unknown): HttpResponse {
  let count = 0;
  const order: { id?: number; method: string }[] = [
    { method: 'server/discover' },
    { method: 'initialize', id: 0 },
    { method: 'notifications/initialized' },
  ];
  return () => {
    const { method, id } = order[count] ?? { method: 'tools/list', id: count - 2 };
    count += 1;
    if (method === 'server/discover')
      return { status: 400, body: { jsonrpc: '2.0', id: null, error: { code: -32601, message: '' } } };
    if (method === 'notifications/initialized') return { status: 202, body: '' };
    const initialized = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
    return { body: { jsonrpc: '2.0', id, result: method === 'initialize' ? initialized : result(method, count) } };
  };
}

describe('at an open MCP endpoint', () => {
  test('tools without an end are read for ten pages', async () => {
    const report = await auditScript(
      mcpEndpoint((_, count) => ({ tools: [{ name: `t${count}` }], nextCursor: String(count) })),
    );
    expect(resultOf(report, 'mcp/door')).toBe('pass');
    expect(report.exchanges.filter(({ target }) => target === '/mcp').length).toBeLessThanOrEqual(20);
  });

  test('schemas that lead in a circle, and values that are not schemas, end in results', async () => {
    const circle = {
      $ref: '#',
      allOf: [{ $ref: '#' }, 7, null],
      properties: { max: { $ref: '#/$defs/none' }, cursor: 5 },
    };
    const tools = ['customers_list', 'inbox_list', 'calls_log'].map((name) => ({ name, inputSchema: circle }));
    const report = await auditScript(mcpEndpoint(() => ({ tools: [...tools, null, { name: 5 }] })));
    expect(report.checks.filter(({ result: outcome }) => outcome.kind === 'error')).toEqual([]);
  });

  test('an MCP endpoint that stops responding causes a limited number of repetitions', async () => {
    let count = 0;
    const open = mcpEndpoint(() => ({
      tools: [{ name: 'customers_list' }, { name: 'inbox_list' }, { name: 'calls_log' }],
    }));
    const report = await auditScript((request) => {
      count += 1;
      if (count > 4) request.socket.destroy();
      return open(request);
    });
    expect(resultOf(report, 'mcp/inbox-list')).toBe('inconclusive unreachable');
    expect(resultOf(report, 'calls/listing')).not.toMatch(/error|precondition/);
  });
});
