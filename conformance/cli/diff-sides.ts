// From a word of the command line to a side that can be asked: a deployment, a target of the config file, or our mock.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Side } from '../diff/diff.ts';
import { trafficFileFor } from '../pace/traffic-file.ts';
import { keyRows } from '../probe/capabilities.ts';
import type { SideName } from '../report/difference.ts';
import { readProfileFile } from './calibrating.ts';
import { configured } from './config.ts';
import { type DiffCommandLine, sideVariables } from './diff-flags.ts';
import type { ParsedFlags } from './flags.ts';
import type { Io } from './io.ts';
import { type Env, runOptions } from './options.ts';
import { readUrl } from './read-forms.ts';
import { startOwnMock } from './self.ts';

/** A side with whatever was started for it. */
export interface StartedSide {
  readonly side: Side;
  close(): Promise<void>;
}

/** What a word stands for, before anything is started. */
type Word =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'target'; readonly name: string }
  | { readonly kind: 'mock'; readonly file: string | null };

/** Throws a UsageError for whatever could not work; nothing is left running then. */
export async function openSides(line: DiffCommandLine, environment: Env, io: Io): Promise<[StartedSide, StartedSide]> {
  const words = { A: wordOf(line.a, 'A'), B: wordOf(line.b, 'B') };
  if (words.A.kind === 'url' && words.B.kind === 'url' && words.A.url === words.B.url && !hasTwoKeys(environment, line))
    io.err.write('A and B are the same address with the same key: what differs then is noise.\n');
  const isAlone = words.A.kind !== 'url' || words.B.kind !== 'url' || isSameHost(words.A.url, words.B.url);
  const prepare = (name: SideName) => prepared(name, words[name], { line, environment, io, isAlone });
  const [startA, startB] = [await prepare('A'), await prepare('B')];
  const a = await startA();
  try {
    return [a, await startB()];
  } catch (error) {
    await a.close();
    throw error;
  }
}

function wordOf(word: string, side: SideName): Word {
  if (word === 'self') return { kind: 'mock', file: null };
  if (/\.json$/i.test(word)) return { kind: 'mock', file: word };
  if (/^[a-z][\w.-]*$/i.test(word) && !existsSync(word)) return { kind: 'target', name: word };
  return { kind: 'url', url: readUrl(side, word).replace(/^--/, '') };
}

function hasTwoKeys(environment: Env, { flags }: DiffCommandLine): boolean {
  const [a, b] = [flags['key-a'] ?? sideVariables.A, flags['key-b'] ?? sideVariables.B].map(
    (name) => environment[name],
  );
  return a !== b;
}

function isSameHost(a: string, b: string): boolean {
  return new URL(a).host === new URL(b).host;
}

interface Context {
  readonly line: DiffCommandLine;
  readonly environment: Env;
  readonly io: Io;
  /** Whether the usual key can only mean this side: a key must not go to the host of another. */
  readonly isAlone: boolean;
}

/** Reads everything that may be wrong; what it gives back starts the side. */
async function prepared(name: SideName, word: Word, context: Context): Promise<() => Promise<StartedSide>> {
  const { line, environment, io } = context;
  if (word.kind === 'mock') return ownMock(word.file, line.shared);
  if (word.kind === 'url') {
    const env = { ...environment, [keyRows.good.variable]: keyFor(name, context) };
    const options = runOptions({ ...line.shared, 'base-url': word.url }, onlyGood(env));
    return async () => deployment(word.url, options, variableFor(name, context));
  }
  const given = await configured(
    { ...(line.flags.config === undefined ? {} : { config: line.flags.config }), target: word.name },
    environment,
    io.folder,
  );
  if (given.source === null)
    throw new UsageError(
      `"${word.name}" is no address, no file, and no config file names it: give https://host/api/v1.`,
    );
  const own = name === 'A' ? line.flags['key-a'] : line.flags['key-b'];
  const env = own === undefined ? given.environment : { ...environment, [keyRows.good.variable]: environment[own] };
  const flags = { ...given.flags, ...line.shared };
  const options = runOptions(flags, onlyGood(env));
  return async () => deployment(`${word.name} (${options.baseUrl})`, options);
}

/** Both sides are asked alike: what only one of them has a key for could not be compared. */
function onlyGood(env: Env): Env {
  const { [keyRows.second.variable]: _second, [keyRows.revoked.variable]: _revoked, ...rest } = env;
  return rest;
}

/** The variable that holds the key of a side: its own, or the usual one. */
function variableFor(name: SideName, { line, environment, isAlone }: Context): string {
  const wanted = name === 'A' ? line.flags['key-a'] : line.flags['key-b'];
  const own = wanted ?? sideVariables[name];
  const isUsual = !environment[own]?.trim() && wanted === undefined && isAlone;
  return isUsual && environment[keyRows.good.variable] ? keyRows.good.variable : own;
}

function keyFor(name: SideName, context: Context): string {
  const variable = variableFor(name, context);
  const key = context.environment[variable]?.trim();
  if (!key) {
    const flag = name === 'A' ? '--key-a' : '--key-b';
    throw new UsageError(`There is no API key for ${name}: set ${variable}, or name another variable with ${flag}.`);
  }
  return key;
}

type RunSide = Side['options'];

function deployment(label: string, options: RunSide, keyVariable?: string): StartedSide {
  const trafficFile = trafficFileFor(new URL(options.baseUrl).host);
  const side = { label, options: { ...options, trafficFile }, ...(keyVariable === undefined ? {} : { keyVariable }) };
  return { side, close: async () => undefined };
}

function ownMock(file: string | null, shared: ParsedFlags): () => Promise<StartedSide> {
  const profile = file === null ? null : readProfileFile(file);
  return async () => {
    const mock = await startOwnMock(profile);
    // Nobody has to wait for a clock of our own: its limits pass when the kit moves it.
    const flags = { ...shared, 'base-url': mock.baseUrl, control: mock.origin };
    const options = runOptions(flags, { [keyRows.good.variable]: mock.keys.good });
    const label = file === null ? 'the mock of this package' : `the mock by ${basename(file)}`;
    return { side: { label, options }, close: () => mock.close() };
  };
}
