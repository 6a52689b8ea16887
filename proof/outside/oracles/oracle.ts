// Tests the mock with a third-party tool.

import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installOnce } from '../runtimes/projects.ts';
import type { LiveDocuments, RunningMock } from './live-document.ts';

/** The result of a tool; `tests` shows that it ran. */
export interface ToolResult {
  readonly tests: number;
  /** One line each. */
  readonly complaints: readonly string[];
}

export interface ToolInput {
  readonly mock: RunningMock;
  readonly documents: LiveDocuments;
  /** An empty folder of this tool. */
  readonly folder: string;
}

export interface Oracle {
  readonly name: string;
  readonly run: (question: ToolInput) => ToolResult;
  /** Complaints that are not about the mock, with the reason. */
  readonly explained: readonly (readonly [pattern: RegExp, reason: string])[];
}

/** A tool from the registry, installed next to the project and kept for the next time; gives back its folder. */
export function install(...packages: readonly string[]): string {
  const home = join(tmpdir(), 'casa-kit-oracles', (packages[0] as string).replace(/\W+/g, '-'));
  installOnce(home, packages);
  return join(home, 'node_modules');
}

/** Runs a tool and returns its output; an exit code other than 0 is allowed. */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): string {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...options.env };
  const { stdout, stderr, error } = spawnSync(command, args, {
    cwd: options.cwd,
    env,
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 100_000_000,
  });
  if (error) throw new Error(`${command} did not run: ${error.message}`);
  return stdout + stderr;
}

/** The number in the output of a tool; without one, the tool has not run. */
export function numberIn(output: string, pattern: RegExp): number {
  const found = pattern.exec(output)?.[1];
  if (found === undefined) throw new Error(`The tool gave no result: ${output.slice(-2000)}`);
  return Number(found);
}
