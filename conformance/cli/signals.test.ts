import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
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
