// `npm run mcp:outside`: the MCP endpoint before checks that we did not write. It starts the built mock and runs the
// official inspector in its command-line mode and the official conformance scenarios, both fetched by npx at fixed
// versions. The official client is in the tests: proof/behavior/mcp.test.ts.

import { spawn } from 'node:child_process';
import { request as ask } from 'node:http';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../../fixtures/test-kit/own-process.ts';
import { startHttp } from '../../../fixtures/test-kit/scripted-server.ts';
import { storeResult } from '../../results.ts';

const key = 'casa_0123456789abcdef0123456789abcdef';
const inspector = '@modelcontextprotocol/inspector@2.12.0';
const conformance = '@modelcontextprotocol/conformance@0.1.16';

/** The scenarios for a server with tools only. `subject` names the topic of the others. */
const applicable = [
  ...['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text', 'tools-call-error'],
  'dns-rebinding-protection',
];
const others: Readonly<Record<string, string>> = {
  'no logging, a capability that is not offered': 'logging-set-level tools-call-with-logging',
  'no completions, a capability that is not offered': 'completion-complete',
  'no resources, a capability that is not offered':
    'resources-list resources-read-text resources-read-binary resources-templates-read resources-subscribe resources-unsubscribe',
  'no prompts, a capability that is not offered':
    'prompts-list prompts-get-simple prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image',
  'asks for a tool that responds with media; the tools here respond with JSON':
    'tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content',
  'asks for a tool that reports before its result; the tools here respond at once': 'tools-call-with-progress',
  'requires a tool with requests to the client; the tools here send none':
    'tools-call-sampling tools-call-elicitation elicitation-sep1034-defaults elicitation-sep1330-enums',
  'asks for a tool of a fixed name with a schema made for the scenario': 'json-schema-2020-12',
  'about streams; this endpoint responds with single JSON bodies': 'server-sse-polling server-sse-multiple-streams',
};

/** Hangs on nothing: each run ends within two minutes. */
function npx(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn('npx', ['-y', ...args], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
    let output = '';
    const keep = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('close', (code) => resolve({ code, output }));
    child.on('error', (error) => resolve({ code: null, output: String(error) }));
  });
}

const results: { question: string; result: 'pass' | 'fail' | 'not applicable'; why?: string }[] = [];

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
  record(
    called.code === 0 && called.output.includes('customerId'),
    'inspector: tools/call customers_list',
    called.output,
  );
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
  for (const [reason, scenarios] of Object.entries(others)) {
    for (const scenario of scenarios.split(' ')) {
      results.push({ question: `conformance: ${scenario}`, result: 'not applicable', why: reason });
      console.log(`n/a   conformance: ${scenario}: ${reason}`);
    }
  }
}

const cli = fileURLToPath(new URL('../../../dist/casa.js', import.meta.url));
const mock = await startServer({
  name: 'casa mock',
  argv: (port) => [cli, 'mock', '--port', String(port), '--relaxed', '--strict', '--quiet'],
  probe: async (port) => (await fetch(`http://127.0.0.1:${port}/__admin/health`)).ok,
});
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

export async function startRelay(port: number, key: string) {
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
