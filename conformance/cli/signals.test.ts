import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundledCommand } from '../../fixtures/test-kit/command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startIndependent } from '../../proof/independent/index.ts';

const command = join(dirname(bundledCommand), 'conformance-cli.js');

test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
  '%s ends a run with its partial report',
  async (signal) => {
    const server = await startIndependent();
    onTestFinished(() => server.close());
    const folder = newFolder();
    const file = join(folder, 'report.json');
    const child = spawn(process.execPath, [command, '--base-url', server.baseUrl, '--report', `json=${file}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, CONFORMANCE_API_KEY: server.keys.good, TMPDIR: folder },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    // The plan is printed when the run begins.
    await once(child.stderr, 'data');
    child.kill(signal);
    const [code] = await once(child, 'close');
    const report = JSON.parse(readFileSync(file, 'utf8'));
    expect(code).toBe(4);
    expect(report.abort).toEqual({ exitCode: 4, sentence: 'The run was stopped before its end.' });
    expect(report.exchanges.length).toBeLessThan(10);
  },
);

test('SIGINT ends a run that waits for a limiter', async () => {
  const headers = { 'retry-after': '60', 'content-type': 'application/json' };
  const server = createServer((_, response) =>
    response.writeHead(429, headers).end('{"error":{"code":"rate_limited"}}'),
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const child = spawn(process.execPath, [command, '--base-url', url], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, CONFORMANCE_API_KEY: `casa_${'0'.repeat(32)}`, TMPDIR: newFolder() },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(server, 'request');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([4, null]);
});
