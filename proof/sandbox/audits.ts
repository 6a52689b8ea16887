// Our own kit through the proxy: three replicas with one log are one deployment, three without are not, and the kit
// has to see the difference.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goodKey } from '../rigs/engine.ts';

export interface AuditResult {
  readonly exitCode: number | null;
  readonly seconds: number;
  readonly passed: number;
  /** Checks that failed: each title would be true of a good deployment. */
  readonly failed: readonly { readonly id: string; readonly title: string }[];
  readonly lastLine: string;
}

interface StoredReport {
  readonly checks: readonly {
    readonly id: string;
    readonly verdict: string;
    readonly title: string;
  }[];
}

/** `kit` is the command as one file. */
export async function audit(kit: string, port: number, args: readonly string[] = []): Promise<AuditResult> {
  const folder = mkdtempSync(join(tmpdir(), 'casa-audit-'));
  const report = join(folder, 'report.json');
  const startMs = performance.now();
  const argv = [kit, '--base-url', `http://127.0.0.1:${port}/api/v1`, '--report', `json=${report}`, ...args];
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CONFORMANCE_API_KEY: goodKey, TMPDIR: folder, XDG_CACHE_HOME: folder },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-20_000);
    });
  }
  const [exitCode] = (await once(child, 'close')) as [number | null];
  try {
    const { checks } = JSON.parse(readFileSync(report, 'utf8')) as StoredReport;
    const failed = checks.filter(({ verdict }) => verdict === 'fail');
    return {
      exitCode,
      seconds: (performance.now() - startMs) / 1000,
      passed: checks.filter(({ verdict }) => verdict === 'pass').length,
      failed: failed.map(({ id, title }) => ({ id, title })),
      lastLine: output.trim().split('\n').at(-1) ?? '',
    };
  } catch {
    throw new Error(`the kit gave no report: ${output.slice(-2000)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
