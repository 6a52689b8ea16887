// Prism as an independent judge: it stands as a validating proxy in front of a mock and turns every answer that the
// spec does not allow into an error of its own. It refuses invalid requests itself, so it judges the answers to valid
// ones only.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A running judge. */
export interface Prism {
  /** In place of the base URL of the mock. */
  readonly url: string;
  close(): Promise<void>;
}

const startMs = 30_000;

/** Starts Prism in front of a base URL, on a free port. Rejects with what Prism said when it does not start. */
export async function startPrism(upstream: string): Promise<Prism> {
  const command = fileURLToPath(new URL('../../node_modules/.bin/prism', import.meta.url));
  const flags = ['proxy', 'spec/openapi.yaml', upstream, '--errors', '-h', '127.0.0.1', '-p', '0'];
  const child = spawn(command, flags, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { url: await readUrl(child), close: () => stop(child) };
}

/** Prism says where it listens in a sentence that its version may change: then it does not start in time. */
function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    let started = false;
    const fail = (what: string) => {
      if (started) return;
      child.kill();
      reject(new Error(`Prism ${what}: ${said}`));
    };
    AbortSignal.timeout(startMs).addEventListener('abort', () => fail('did not start in time'));
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      const url = /listening on (http:\/\/\S+)/.exec(said)?.[1];
      if (url === undefined) return;
      started = true;
      resolve(url);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', () => fail('went away'));
  });
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.once('exit', () => resolve());
    child.kill();
  });
}
