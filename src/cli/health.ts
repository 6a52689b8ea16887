// `casa health`: whether a mock responds, for containers and scripts. It sends local requests, where no token is
// needed.
import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '../contract/json.ts';
import { row } from '../options/define-options.ts';
import { failureOf, readBytes } from '../terminal/response-text.ts';
import { RunError } from '../terminal/usage-error.ts';
import { command } from './command.ts';
import { findMock, urlHelp } from './find-mock.ts';

const responseMs = 2000;
const responseBytesMax = 1_000_000;
const betweenMs = 100;

export const health = command({
  name: 'health',
  usage: `casa health: check that a mock is running

Usage
  casa health [flags]

Examples
  casa health --wait 30s
`,
  options: {
    url: row.text('URL', urlHelp),
    wait: row.seconds('TIME', 'Retry for TIME until the mock is running, for example 30s (default: 0s)', {
      max: 600,
      takes: 'a time up to 10m, such as 30s',
    }),
  },
  exits: { 0: 'The mock is running', 1: 'No mock responded', 2: 'Invalid flag or config file' },
  async run({ flags }, output) {
    const { origin } = await findMock(flags);
    const apiResponse = await untilUp(origin, (flags.wait ?? 0) * 1000);
    if (apiResponse !== null) throw new RunError(`no mock responds at ${origin} (${apiResponse}).`);
    output.write(`up  ${origin}\n`);
  },
});

/** Null when it is up, else why not. Sends at least one request. */
async function untilUp(origin: string, waitMs: number): Promise<string | null> {
  const end = performance.now() + waitMs;
  for (;;) {
    const problem = await askOnce(origin);
    if (problem === null || performance.now() >= end) return problem;
    await pause(betweenMs);
  }
}

/** A mock with an admin token rejects the request, which shows that it runs. */
async function askOnce(origin: string): Promise<string | null> {
  try {
    const response = await fetch(`${origin}/__admin/health`, {
      redirect: 'error',
      signal: AbortSignal.timeout(responseMs),
    });
    const text = new TextDecoder().decode(await readBytes(response, responseBytesMax));
    const { status, failure, error } = (parseJson(text) ?? {}) as {
      status?: string;
      failure?: string;
      error?: { code?: string };
    };
    if (status === 'failing' && failure) return failure;
    if (status === 'ok' || (response.status === 401 && error?.code === 'unauthorized')) return null;
    return `another server responded with status ${response.status}`;
  } catch (error) {
    return failureOf(error);
  }
}
