// `npm run mcp:outside`: the MCP endpoint before checks that we did not write. It starts the built mock and runs the
// official inspector in its command-line mode and the official conformance scenarios, both fetched by npx at fixed
// versions. The official client is in the tests: proof/behavior/mcp.test.ts.

import { spawn } from 'node:child_process';
import { request as ask } from 'node:http';
import { endOf } from '../../../fixtures/test-kit/own-process.ts';
import { startHttp } from '../../../fixtures/test-kit/scripted-server.ts';
import { storeResult } from '../../results.ts';
import { startBuiltMock } from '../built-mock.ts';

const key = 'casa_0123456789abcdef0123456789abcdef';
const inspector = '@modelcontextprotocol/inspector@2.12.0';
const conformance = '@modelcontextprotocol/conformance@0.1.16';

/**
 * The scenarios for a server with tools only. The others are about capabilities that it does not offer, about tools of
 * fixed names that respond with media, report progress or ask the client, and about streams.
 */
const applicable = [
  ...['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text', 'tools-call-error'],
  'dns-rebinding-protection',
];

/** Hangs on nothing: each run ends within two minutes. */
async function npx(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const { code, out, err } = await endOf(spawn('npx', ['-y', ...args], { stdio: [...stdio], timeout: 120_000 }));
  return { code, output: out + err };
}

const results: { question: string; result: 'pass' | 'fail' }[] = [];

function record(good: boolean, what: string, output = ''): void {
  results.push({ question: what.trim(), result: good ? 'pass' : 'fail' });
  console.log(`${good ? 'pass' : 'FAIL'}  ${what}`);
  if (!good) console.log(output.slice(-2_000));
}

async function inspect(url: string): Promise<void> {
  const ask = (...args: string[]) =>
    npx([inspector, '--cli', url, '--transport', 'http', '--header', `Authorization: Bearer ${key}`, ...args]);
  const listed = await ask('--method', 'tools/list', '--strict');
  record(listed.code === 0 && listed.output.includes('"calls_log"'), 'inspector: tools/list --strict', listed.output);
  const called = await ask('--method', 'tools/call', '--tool-name', 'customers_list', '--tool-arg', 'max=2');
  const isCalled = called.code === 0 && called.output.includes('customerId');
  record(isCalled, 'inspector: tools/call customers_list', called.output);
  const rejected = await ask('--method', 'tools/call', '--tool-name', 'calls_log', '--tool-arg', 'limit=201');
  record(rejected.output.includes('invalid_input'), 'inspector: tools/call calls_log with limit=201', rejected.output);
}

async function conform(url: string): Promise<void> {
  for (const scenario of applicable) {
    const { code, output } = await npx([conformance, 'server', '--url', url, '--scenario', scenario]);
    const passed = /Passed: (\d+)\/(\d+)/.exec(output);
    const proven = passed === null || (passed[1] === passed[2] && passed[1] !== '0');
    record(code === 0 && proven, `conformance: ${scenario} ${passed?.[0] ?? ''}`, output);
  }
}

const mock = await startBuiltMock({ flags: ['--strict'] });
const relay = await startRelay(mock.port, key);
try {
  await inspect(`http://127.0.0.1:${mock.port}/mcp`);
  await conform(relay.url);
} finally {
  relay.close();
  await mock.stop();
}
storeResult('mcp', results, true);
process.exitCode = results.some(({ result }) => result === 'fail') ? 1 : 0;

/** One call returns text, and one is rejected because its arguments are missing. */
const toolNames: Readonly<Record<string, string>> = {
  test_simple_text: 'list_accounts',
  test_error_handling: 'create_post',
};

async function startRelay(port: number, key: string) {
  const { origin, close } = await startHttp(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks)
      .toString()
      .replace(/"name":"(\w+)"/, (whole, name) => (toolNames[name] ? `"name":"${toolNames[name]}"` : whole));
    const { 'content-length': _length, 'transfer-encoding': _coding, ...headers } = incoming.headers;
    const onward = ask({
      host: '127.0.0.1',
      port,
      path: incoming.url,
      method: incoming.method,
      headers: { ...headers, authorization: `Bearer ${key}`, 'content-length': Buffer.byteLength(body) },
    });
    onward.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    onward.end(body);
  });
  return { url: `${origin}/mcp`, close };
}
