// Resolves an argument to one side: a deployment, a target of the config file, or our mock.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { words } from '../../src/contract/words.ts';
import { rowsOf } from '../../src/options/define-options.ts';
import { type FlagTable, type FlagValues, parseWords } from '../../src/terminal/flag-parser.ts';
import { describeExits, describeGroups } from '../../src/terminal/help.ts';
import { readProfileFile } from '../../src/terminal/profile-file.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Side } from '../driver/diff/diff.ts';
import type { Keys } from '../exchange/request.ts';
import { diffExitMeanings, type SideName, usualMinCompared } from '../report/difference.ts';
import { commandOptions, keyRows, readUrl } from '../scenarios/capabilities.ts';
import { configured } from './config.ts';
import { flagTable, type KitFlag, type ParsedFlags } from './flags.ts';
import type { Io } from './io.ts';
import { type Env, runOptions } from './options.ts';
import { clockOf, startOwnMock } from './self.ts';
import { trafficFileFor } from './traffic-file.ts';

export interface StartedSide {
  readonly side: Side;
  /** A mock of this package has everything that a side may have. */
  readonly isOwn?: true;
  close(): Promise<void>;
}

type Word =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'target'; readonly name: string }
  | { readonly kind: 'mock'; readonly file: string | null };

/** Throws a UsageError for invalid arguments; then no process stays open. */
export async function openSides(line: DiffCommandLine, environment: Env, io: Io): Promise<[StartedSide, StartedSide]> {
  const words = { A: wordOf(line.a, 'A'), B: wordOf(line.b, 'B') };
  if (words.A.kind === 'url' && words.B.kind === 'url' && words.A.url === words.B.url && !hasTwoKeys(environment, line))
    io.err.write('A and B have the same address and the same key, so each difference is noise.\n');
  const isAlone =
    words.A.kind !== 'url' || words.B.kind !== 'url' || new URL(words.A.url).host === new URL(words.B.url).host;
  const prepare = (name: SideName) => prepared(name, words[name], { line, environment, io, isAlone });
  const [startA, startB] = [await prepare('A'), await prepare('B')];
  const a = await startA();
  try {
    return alike(a, await startB(), io);
  } catch (error) {
    await a.close();
    throw error;
  }
}

function wordOf(word: string, side: SideName): Word {
  if (word === 'self') return { kind: 'mock', file: null };
  // A profile may have any name, as for casa mock --profile.
  if (/\.json$/i.test(word) || statSync(word, { throwIfNoEntry: false })?.isFile()) return { kind: 'mock', file: word };
  if (/^[a-z][\w.-]*$/i.test(word)) return { kind: 'target', name: word };
  return { kind: 'url', url: addressOf(side, word) };
}

/** A side has no flag for its address. */
function addressOf(side: SideName, word: string): string {
  try {
    return readUrl(word, side);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message.replace(/^--/, '')) : error;
  }
}

function hasTwoKeys(environment: Env, { flags }: DiffCommandLine): boolean {
  const [a, b] = (['A', 'B'] as const).map(
    (side) => environment[flags[sideFlag('good', side)] ?? sideVariable('good', side)],
  );
  return a !== b;
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
  if (word.kind === 'mock') return ownMock(word.file, name, line);
  if (word.kind === 'url') {
    const variables = variablesFor(name, context);
    requireKey(name, variables.good, environment);
    const options = runOptions(flagsFor(name, { ...line.shared, 'base-url': word.url }, line), {
      ...environment,
      ...keyed(variables, environment),
    });
    return async () => deployment(word.url, options, variables);
  }
  const given = await configured({ target: word.name }, environment, io.folder);
  if (given.source === null)
    throw new UsageError(
      `"${word.name}" is not an address, a file or a target of a config file: pass https://host/api/v1.`,
    );
  const variables = { good: keyRows.good.variable, ...given.keyNames, ...flagged(name, line) };
  const options = runOptions(flagsFor(name, { ...withoutWrites(given.flags), ...line.shared }, line), {
    ...environment,
    ...keyed(variables, environment),
  });
  return async () => deployment(`${word.name} (${options.baseUrl})`, options, variables);
}

type Variables = Partial<Record<keyof Keys, string>>;

const keyNames = Object.keys(keyRows) as (keyof Keys)[];

/** A comparison writes nothing, even if the target allows it for audits. */
function withoutWrites({ 'allow-writes': _, 'max-writes': __, review: ___, ...flags }: ParsedFlags): ParsedFlags {
  return flags;
}

function flagsFor(name: SideName, flags: ParsedFlags, { flags: own }: DiffCommandLine): ParsedFlags {
  const mcpEndpoint = own[name === 'A' ? 'mcp-url-a' : 'mcp-url-b'];
  return mcpEndpoint === undefined ? flags : { ...flags, 'mcp-url': mcpEndpoint };
}

/** Each key under its name in a run. The default second key can belong to another deployment. */
function keyed(variables: Variables, environment: Env): Env {
  return Object.fromEntries(keyNames.map((key) => [keyRows[key].variable, environment[variables[key] ?? '']]));
}

function flagged(name: SideName, { flags }: DiffCommandLine): Variables {
  return Object.fromEntries(
    keyNames.flatMap((key) => {
      const variable = flags[sideFlag(key, name)];
      return typeof variable === 'string' ? [[key, variable]] : [];
    }),
  );
}

/** The variables that hold the keys of a side: its own, or the usual ones. */
function variablesFor(name: SideName, { line, environment, isAlone }: Context): Variables & { readonly good: string } {
  const wanted = flagged(name, line);
  const found = keyNames.map((key) => {
    const own = wanted[key] ?? sideVariable(key, name);
    const usual = keyRows[key].variable;
    const isUsual = !environment[own]?.trim() && wanted[key] === undefined && isAlone && environment[usual];
    return [key, isUsual ? usual : own] as const;
  });
  return Object.fromEntries(found) as Required<Variables>;
}

function requireKey(name: SideName, variable: string, environment: Env): void {
  if (environment[variable]?.trim()) return;
  throw new UsageError(
    `There is no API key for ${name}: set ${variable}, or name another variable with --${sideFlag('good', name)}.`,
  );
}

/** Data that needs a key or URL of only one side is not compared. */
function alike(a: StartedSide, b: StartedSide, io: Io): [StartedSide, StartedSide] {
  const parts = [
    ['a second key', ({ keys }: RunSide) => keys.second],
    ['a revoked key', ({ keys }: RunSide) => keys.revoked],
    ['an MCP endpoint', ({ mcpUrl }: RunSide) => mcpUrl],
  ] as const;
  for (const [what, of] of parts) {
    const [first, second] = [of(a.side.options), of(b.side.options)];
    if ((first === undefined) === (second === undefined)) continue;
    const [name, side] = first === undefined ? ['B', b] : ['A', a];
    if (side.isOwn !== true)
      io.err.write(
        `Only ${name} has ${what}: responses that need it are not compared. Pass one for the other side too.\n`,
      );
  }
  const both = ([, of]: (typeof parts)[number]) => [a, b].every(({ side }) => of(side.options) !== undefined);
  const [hasSecond, hasRevoked, hasMcpEndpoint] = parts.map(both);
  const narrowed = ({ side, close }: StartedSide): StartedSide => {
    const { keys, mcpUrl, ...options } = side.options;
    const { good, second, revoked } = keys;
    const kept = { good, ...(hasSecond && second ? { second } : {}), ...(hasRevoked && revoked ? { revoked } : {}) };
    return {
      side: { ...side, options: { ...options, keys: kept, ...(hasMcpEndpoint && mcpUrl ? { mcpUrl } : {}) } },
      close,
    };
  };
  return [narrowed(a), narrowed(b)];
}

type RunSide = Side['options'];

function deployment(label: string, options: RunSide, keyVariables: Variables): StartedSide {
  const trafficFile = trafficFileFor(new URL(options.baseUrl).host, options.env ?? {});
  return { side: { label, options: { ...options, trafficFile }, keyVariables }, close: async () => undefined };
}

function ownMock(file: string | null, name: SideName, line: DiffCommandLine): () => Promise<StartedSide> {
  rejectGiven(name, line);
  const profile = file === null ? null : readProfileFile(file);
  // Every flag is read before the mock starts: one that cannot be used leaves nothing running.
  const common = runOptions({ ...line.shared, 'base-url': 'http://localhost/' }, { [keyRows.good.variable]: 'none' });
  return async () => {
    const mock = await startOwnMock(profile);
    const { good, second, revoked } = mock.keys;
    const { baseUrl, origin: control, mcpUrl } = mock;
    // Our mock uses a controlled clock: its limits pass when the suite moves it.
    const options = { ...common, baseUrl, control, mcpUrl, keys: { good, second, revoked }, clock: clockOf(mock) };
    const keyVariables = Object.fromEntries(keyNames.map((key) => [key, sideVariable(key, name)]));
    const label = file === null ? 'the bundled mock' : `the mock by ${basename(file)}`;
    return { side: { label, options, keyVariables }, isOwn: true, close: () => mock.close() };
  };
}

/** Our mock provides its keys and its MCP endpoint, so such flags must be for the other side. */
function rejectGiven(name: SideName, { flags }: DiffCommandLine): void {
  const own = [...keyNames.map((key) => sideFlag(key, name)), name === 'A' ? 'mcp-url-a' : 'mcp-url-b'] as const;
  const given = own.find((flag) => flags[flag] !== undefined);
  if (given !== undefined)
    throw new UsageError(
      `${name} is the bundled mock, which has separate keys and a separate MCP endpoint: leave --${given} out.`,
    );
}

// The command line of `conformance diff A B`. Options of a run that mean the same for both sides are taken over from
// the table of the kit.

/** The variable that holds a key of one side, when no flag names another: CONFORMANCE_API_KEY_A. */
export function sideVariable(key: keyof Keys, side: SideName): string {
  return `${keyRows[key].variable}_${side}`;
}

/** The flag that names another variable: --key-a, --second-key-a. */
export function sideFlag(key: keyof Keys, side: SideName) {
  const letter = side === 'A' ? 'a' : 'b';
  return key === 'good' ? (`key-${letter}` as const) : (`${key}-key-${letter}` as const);
}

const { inGroup, text, toggle } = rowsOf<(typeof groups)[number]>();
const variable = (key: keyof Keys, side: SideName, about: string) =>
  text('VARIABLE', `${about} (default: ${sideVariable(key, side)})`);

const groups = ['API keys', 'Deployments', 'Both runs', 'Results', 'Information'] as const;
const ownFlags = {
  ...inGroup('API keys', {
    'key-a': variable('good', 'A', 'Environment variable with the key of A'),
    'key-b': variable('good', 'B', 'Environment variable with the key of B'),
    'second-key-a': variable('second', 'A', "Second organization's key on A"),
    'second-key-b': variable('second', 'B', "Second organization's key on B"),
    'revoked-key-a': variable('revoked', 'A', 'Revoked key on A'),
    'revoked-key-b': variable('revoked', 'B', 'Revoked key on B'),
  }),
  ...inGroup('Deployments', {
    'mcp-url-a': text('URL', 'MCP endpoint of A; needs --mcp-url-b'),
    'mcp-url-b': text('URL', 'MCP endpoint of B; needs --mcp-url-a'),
  }),
  ...inGroup('Results', {
    report: commandOptions.report,
    'fail-on': text('KIND', 'any: fail on each difference (default). illegal: only on violations'),
    'min-compared': text('N%', `Exit with 3 if fewer behaviors were compared (default: ${usualMinCompared * 100}%)`),
  }),
  ...inGroup('Information', { help: toggle('Show this help', { short: 'h' }) }),
};

/** Of a run, the same for both sides. */
const sharedNames = words('insecure ca timeout pace only skip gentle keep-bodies');
const sharedFlags = Object.fromEntries(
  sharedNames.map((name) => [name, { ...(flagTable[name] as KitFlag), group: 'Both runs' }]),
);

const table: FlagTable = { ...ownFlags, ...sharedFlags };

export interface DiffCommandLine {
  readonly flags: FlagValues<typeof ownFlags>;
  /** Those that both runs get. */
  readonly shared: ParsedFlags;
  readonly a: string;
  readonly b: string;
}

/** Throws a UsageError; null if the user requests help. */
export function parseDiff(argv: readonly string[]): DiffCommandLine | null {
  const { values, words } = parseWords(argv, table, { isStrict: true, takesWords: true });
  const flags = values as FlagValues<typeof ownFlags>;
  if (flags.help) return null;
  const [a, b, ...rest] = words;
  if (a === undefined || b === undefined)
    throw new UsageError('conformance diff compares two sides: conformance diff A B (see conformance diff --help).');
  if (rest[0] !== undefined) throw new UsageError(`conformance diff takes two sides, so "${rest[0]}" is one too many.`);
  const shared = Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(sharedFlags, name)));
  return { flags, shared: shared as ParsedFlags, a, b };
}

export function diffHelpText(): string {
  return `conformance diff: compare two deployments

Usage
  conformance diff A B [flags]

A and B are each one of
  https://host/api/v1     A deployment
  NAME                    A target of the config file
  FILE.profile.json       A mock with this profile
  self                    The bundled mock

Both sides get the requests of conformance calibrate. A difference is reported only if repeated
requests confirm it. If only one side is a deployment, its key can come from CONFORMANCE_API_KEY.

${describeGroups(table, groups)}${describeExits(diffExitMeanings)}`;
}
