// What `--upstream` and its companions say: which deployment, which operations, whose keys.
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { CasaConfig } from '../../options/mock-options.ts';
import { didYouMean } from '../../terminal/suggestion.ts';
import { UsageError } from '../../terminal/usage-error.ts';

export interface UpstreamSettings {
  /** Includes the version segment, without a slash at its end. */
  readonly baseUrl: string;
  /** Operations that are forwarded to the deployment; the mock responds to the others. */
  readonly forward: readonly OperationId[];
  readonly keys: readonly KeySource[];
  /** The file for the traffic between the two; null for none. */
  readonly record: string | null;
  /** The file for the profile of the traffic; null for none. */
  readonly learn: string | null;
}

/** Where the key of the deployment stands, for clients that send `key`; null for every other client. */
export interface KeySource {
  readonly key: string | null;
  /** Of the environment. */
  readonly variable: string;
}

/** Reads ask for nothing that cannot be taken back, so they are the ones that are forwarded when nobody says which. */
export const forwardPreset = 'reads';
export const keyVariablePreset = 'CASA_UPSTREAM_KEY';

const all = Object.values(operations);
const groups: Readonly<Record<string, readonly OperationId[]>> = {
  all: all.map(({ id }) => id),
  reads: all.filter(({ method }) => method === 'GET').map(({ id }) => id),
  writes: all.filter(({ method }) => method !== 'GET').map(({ id }) => id),
};

/** Null without `--upstream`. Throws a `UsageError` for what cannot be used. */
export function readUpstream({ upstream, forward, upstreamKey, record, learn }: CasaConfig): UpstreamSettings | null {
  if (upstream === undefined) {
    const companions = { '--forward': forward, '--upstream-key': upstreamKey, '--record': record, '--learn': learn };
    const [lonely] = Object.entries(companions).find(([, value]) => value !== undefined) ?? [];
    if (lonely !== undefined) throw new UsageError(`${lonely} needs --upstream URL.`);
    return null;
  }
  return {
    baseUrl: readBaseUrl(upstream),
    forward: readOperations(forward ?? [forwardPreset]),
    keys: (upstreamKey ?? [keyVariablePreset]).map(readKeySource),
    record: record ?? null,
    learn: learn ?? null,
  };
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '') {
    return url.href.replace(/\/+$/, '');
  }
  throw new UsageError(
    `--upstream takes the base URL of a deployment, such as https://staging.example.com/api/v1, not "${text}".`,
  );
}

function readOperations(words: readonly string[]): OperationId[] {
  const names = words.flatMap((word) => word.split(',')).map((word) => word.trim());
  const known = [...Object.keys(groups), ...all.map(({ id }) => id)];
  const found = names.flatMap((name) => {
    if (Object.hasOwn(groups, name)) return groups[name] ?? [];
    if (Object.hasOwn(operations, name)) return [name as OperationId];
    throw new UsageError(
      `--forward: there is no operation "${name}".${didYouMean(name, known)} It takes ${known.join(', ')}.`,
    );
  });
  return all.map(({ id }) => id).filter((id) => found.includes(id));
}

function readKeySource(text: string): KeySource {
  const [, key, variable = ''] = /^(?:([^=\s]+)=)?([A-Za-z_]\w*)$/.exec(text) ?? [];
  if (variable !== '') return { key: key ?? null, variable };
  // A key that was passed by mistake must not appear in the message.
  throw new UsageError(
    '--upstream-key takes the name of an environment variable, or KEY=NAME for the clients that send KEY.',
  );
}
