// The one way in which responses are written in behaviors. A calibrated mock has behaviors that were learnt or chosen;
// grease draws some of them again for each response.
import type { Behaviors } from '../../contract/generated/behaviors.ts';
import type { Quantiles, Shape } from '../../contract/shape.ts';
import type { Issue } from '../../domain/outcome.ts';
import { createRandom, type Random } from '../../domain/random.ts';
import type { Grant } from '../../domain/sliding-window.ts';
import { bodyText, type CoreResponse } from '../message.ts';
import type { AnyOperation, Routing } from '../route.ts';
import { invent } from './invent.ts';
import { extrasOf, writeSuccess } from './write-body.ts';

/** Rewrites responses of a mock with other than the default behaviors. */
export interface Writer {
  /** The response, said in another legal way. */
  write(response: CoreResponse, routing: Routing): CoreResponse;
  /** The review that an id means as this mock writes it. */
  readReviewId(text: string): string;
  /** Which window the headers of a response that was not blocked describe; null for none (interpretation R42, R43). */
  shownGrant(address: Grant | null, key: Grant | null): Grant | null;
  /** How long the next response takes, in milliseconds. */
  latencyMs?(): number;
  /** For snapshots. */
  position(): number;
  restore(position: number): void;
}

export interface Pen {
  readonly behaviors: Behaviors;
  /** Counts values that vary between responses, so both sides of a mixture alternate. */
  readonly turn: () => number;
  /** Changes other parts of the body, before the behaviors are applied. */
  readonly edit?: (body: unknown, status: number, operation: AnyOperation | null) => unknown;
}

/** Pages and streams are left alone. */
export function writeResponse(response: CoreResponse, routing: Routing, { behaviors, turn, edit }: Pen): CoreResponse {
  if (response.body.length === 0 || !(response.headers['content-type'] ?? '').startsWith('application/json'))
    return response;
  const { status } = response;
  const operation = typeof routing === 'string' ? null : routing.operation;
  const read = JSON.parse(bodyText(response));
  const body = edit === undefined ? read : edit(read, status, operation);
  const written =
    status === 200
      ? writeSuccess(body, { behaviors, operation: operation?.id ?? null, turn })
      : writeError(body, operation?.envelope ?? 'simple', behaviors);
  return { ...response, headers: writeHeaders(response, behaviors), body: JSON.stringify(written) };
}

function writeHeaders({ status, headers }: CoreResponse, behaviors: Behaviors): Record<string, string> {
  const written: Record<string, string> = {
    ...headers,
    'content-type': status === 200 ? behaviors.contentType : behaviors.errorContentType,
  };
  if (behaviors.challenge === 'absent') delete written['www-authenticate'];
  else if (written['www-authenticate'] !== undefined)
    written['www-authenticate'] = writeChallenge(behaviors.challengeForm);
  return written;
}

/** Sample values for those of a deployment; other parameters get the name of the mock. */
const challengeValues: Readonly<Record<string, string>> = {
  error: 'invalid_token',
  error_description: 'The API key is missing, invalid or revoked.',
  scope: 'api',
  charset: 'UTF-8',
};

/** `Bearer realm, error` names the scheme and its parameters. */
function writeChallenge(form: string): string {
  const [scheme = '', ...rest] = form.split(' ');
  const names = rest
    .join(' ')
    .split(', ')
    .filter((name) => name !== '');
  const parameters = names.map((name) => `${name}="${challengeValues[name] ?? 'casa'}"`);
  return parameters.length === 0 ? scheme : `${scheme} ${parameters.join(', ')}`;
}

/** Interpretation R42 and R43. */
export function shownOf(
  { rateHeaders, rateBucket }: Behaviors,
  address: Grant | null,
  key: Grant | null,
): Grant | null {
  if (rateHeaders === 'blocked') return null;
  if (rateBucket === 'address') return address;
  if (rateBucket === 'key' || address === null || key === null) return key ?? address;
  return key.remaining < address.remaining ? key : address;
}

// Errors as a deployment words and shapes them. Status and code stay: clients branch on them.
// Cites 7.envelope.branch-on-code, 7.issues-shape.

type Fields = Record<string, unknown>;

/** The limiter's body is stated to the letter, and stays. */
function writeError(body: unknown, envelope: 'simple' | 'tool', behaviors: Behaviors): unknown {
  const { error, ...rest } = body as { error: unknown };
  if (typeof error !== 'object' || error === null) return body;
  const { code, message, issues, ...others } = error as Fields;
  const isBadInput = envelope === 'simple' && code === 'invalid_input';
  const inner: Fields = {
    code: isBadInput ? behaviors.simpleBadCode : code,
    message: behaviors.errorMessages === 'empty' ? '' : message,
    ...others,
  };
  const outer: Fields = { ...rest };
  const hidesIssues = isBadInput && behaviors.simpleIssues === 'absent';
  if (issues !== undefined && !hidesIssues) placeIssues(issues as readonly Issue[], behaviors.issues, { inner, outer });
  return {
    error: { ...inner, ...extrasOf(behaviors, envelope === 'tool' ? 'error' : 'simpleError', String(code), null) },
    ...outer,
    ...extrasOf(behaviors, 'errorEnvelope', String(code), null),
  };
}

/**
 * The shape is an object of one field, whose name is the place: `error.issues`, `issues`, `error.details.issues`.
 */
function placeIssues(issues: readonly Issue[], shape: Shape | null, at: { inner: Fields; outer: Fields }): void {
  const [place, form] = Object.entries(shape?.fields ?? {})[0] ?? [];
  if (place === undefined || form === undefined) {
    at.inner.issues = issues;
    return;
  }
  const value = reshape(issues, form);
  const names = place.split('.');
  const isInside = names[0] === 'error';
  put(isInside ? at.inner : at.outer, isInside ? names.slice(1) : names, value);
}

function put(fields: Fields, [name = 'issues', ...deeper]: readonly string[], value: unknown): void {
  if (deeper.length === 0) {
    fields[name] = value;
    return;
  }
  const inner: Fields = {};
  fields[name] = inner;
  put(inner, deeper, value);
}

/** One entry for each problem, or a field for each place. */
function reshape(issues: readonly Issue[], form: Shape): unknown {
  if (form.type === 'object')
    return mapOf(
      issues.map(({ path, message }) => ({ name: path.slice(1).replaceAll('/', '.'), message })),
      form,
    );
  const { items } = form;
  if (items?.type !== 'object') return issues.map(({ path, message }) => `${path.slice(1)}: ${message}`);
  return issues.map((issue) => writeIssue(issue, items));
}

interface ListedProblem {
  /** Empty for a problem of the whole. */
  readonly name: string;
  readonly message: string;
}

/**
 * `any` matches the names of inputs. Every other field is a named part: a map of all problems, or the list of those of
 * the whole.
 */
function mapOf(problems: readonly ListedProblem[], { fields = {} }: Shape): Fields {
  const { any, ...parts } = fields;
  const whole = problems.filter(({ name }) => name === '');
  const listsWhole = Object.values(parts).some(({ type }) => type === 'array');
  const map: Fields = Object.fromEntries(
    Object.entries(parts).map(([name, form]) => [
      name,
      form.type === 'object' ? mapOf(problems, form) : leafOf(whole, form),
    ]),
  );
  if (any === undefined) return map;
  const named = problems.filter(({ name }) => name !== '' || !listsWhole);
  for (const name of new Set(named.map((each) => each.name))) {
    const own = named.filter((each) => each.name === name).map(({ message }) => ({ name: '', message }));
    map[name || 'body'] = leafOf(own, any);
  }
  return map;
}

function leafOf(problems: readonly ListedProblem[], form: Shape): unknown {
  if (form.type === 'object') return mapOf(problems, form);
  const messages = problems.map(({ message }) => message);
  return form.type === 'array' ? messages : (messages.at(-1) ?? '');
}

/** Known fields get values by their names; others get generated values. */
function writeIssue(issue: Issue, { fields = {} }: Shape): Fields {
  const { path, message, rule } = issue;
  const subject = { name: `${path} ${rule}`, startMs: 0, endMs: null };
  return Object.fromEntries(
    Object.entries(fields).map(([name, shape]) => {
      if (/path|field|point|loc|param|prop|where|member|name|in$/i.test(name)) return [name, writePath(path, shape)];
      if (/mess|detail|text|reason|problem|descr|hint|error|title/i.test(name)) return [name, message];
      if (/rule|code|keyword|type|kind/i.test(name)) return [name, rule];
      return [name, invent(shape, subject, name)];
    }),
  );
}

function writePath(path: string, { type, form }: Shape): unknown {
  if (type === 'array') return path.split('/').slice(1);
  return form === 'pointer' ? path : path.slice(1).replaceAll('/', '.');
}

// A mock that responds with the behaviors of a deployment, learnt or chosen.

/** Mixtures take turns, such as pages of reviews that end now with null and now without a field. */
export function createCalibration(behaviors: Behaviors, seed: number): Writer {
  let turns = 0;
  const turn = () => {
    turns += 1;
    return turns;
  };
  return {
    write: (response, routing) => writeResponse(response, routing, { behaviors, turn }),
    readReviewId: (text) => text,
    shownGrant: (address, key) => shownOf(behaviors, address, key),
    ...(behaviors.latency === null ? {} : { latencyMs: latencyOf(behaviors.latency, createRandom(seed ^ 0x1a7)) }),
    position: () => turns,
    restore(position) {
      turns = position;
    },
  };
}

/** Uniform between the quantiles, and never above the last one, to avoid hanging. */
function latencyOf({ p50, p90, p99 }: Quantiles, random: Random): () => number {
  return () => {
    const place = random.next();
    if (place < 0.5) return Math.round(p50 * (0.5 + place));
    if (place < 0.9) return Math.round(p50 + ((place - 0.5) / 0.4) * (p90 - p50));
    return Math.round(p90 + ((place - 0.9) / 0.1) * (p99 - p90));
  };
}
