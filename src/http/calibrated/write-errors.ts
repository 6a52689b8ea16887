// Errors as a deployment words and shapes them. Status and code stay: clients branch on them.
// Cites 7.envelope.branch-on-code, 7.issues-shape.
import type { Behaviors } from '../../contract/generated/behaviors.ts';
import type { Shape } from '../../contract/shape.ts';
import type { Issue } from '../../domain/outcome.ts';
import { invent } from './invent.ts';
import { extrasOf } from './write-body.ts';

type Fields = Record<string, unknown>;

/** The limiter's body is stated to the letter, and stays. */
export function writeError(body: unknown, envelope: 'simple' | 'tool', behaviors: Behaviors): unknown {
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
    error: { ...inner, ...extrasOf(behaviors, envelope === 'tool' ? 'error' : 'simpleError', String(code)) },
    ...outer,
    ...extrasOf(behaviors, 'errorEnvelope', String(code)),
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
      issues.map(({ path, message }) => ({ name: path.slice(1), message })),
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
