// `casa health`: whether a mock responds, for containers and scripts. It sends local requests, where no token is
// needed.
import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '../contract/json.ts';
import { parseDuration } from '../terminal/duration.ts';
import type { FlagTable } from '../terminal/flag-parser.ts';
import { describeExits, describeFlags } from '../terminal/help.ts';
import { failureOf, readBytes } from '../terminal/response-text.ts';
import { RunError, UsageError } from '../terminal/usage-error.ts';
import { command } from './command.ts';
import { findMock, urlFlag } from './find-mock.ts';

const flags = {
  url: urlFlag,
  wait: { value: 'TIME', help: 'Retry for TIME until the mock is running, for example 30s (default: 0s)' },
  help: { short: 'h', help: 'Show this help' },
} as const satisfies FlagTable;

const usage = `casa health: check that a mock is running

Usage
  casa health [flags]

Examples
  casa health --wait 30s

Flags
${describeFlags(flags)}
${describeExits({ 0: 'The mock is running', 1: 'No mock responded', 2: 'Invalid flag or config file' })}`;

const responseMs = 2000;
const responseBytesMax = 1_000_000;
const betweenMs = 100;
const waitMaxMs = 600_000;

export const health = command({
  name: 'health',
  table: flags,
  usage,
  async run({ flags: given }, output) {
    const { origin } = await findMock(given);
    const apiResponse = await untilUp(origin, readWait(given.wait));
    if (apiResponse !== null) throw new RunError(`no mock responds at ${origin} (${apiResponse}).`);
    output.write(`up  ${origin}\n`);
  },
});

function readWait(text: string | undefined): number {
  const ms = text === undefined ? 0 : parseDuration(text);
  if (ms === null || ms > waitMaxMs) throw new UsageError(`--wait takes a time up to 10m, such as 30s, not "${text}".`);
  return ms;
}

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
