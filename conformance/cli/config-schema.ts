// The schema of conformance.config.json and .ts, from the table of flags: each flag has a field with its name in camel
// case. Loaded only if there is such a file.

import { config as configureZod, z } from 'zod';
import { count } from '../../src/terminal/count.ts';
import { describeIssue } from '../../src/terminal/issue-text.ts';
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { keyRows } from '../probe/capabilities.ts';
import { fieldOf, type KitFlag, settingFlags } from './flags.ts';

// Without this, zod probes `new Function`, which is an error under some policies.
configureZod({ jitless: true });

const word = z.string().min(1);

/** A switch is a boolean, a number can be one, and a repeatable flag takes a list. */
function typeOf({ value, optional, repeat, isList }: KitFlag): z.ZodType {
  if (value === undefined) return z.boolean();
  if (optional) return z.union([z.boolean(), word, z.array(word)]);
  return repeat || isList ? z.union([word, z.array(word)]) : z.union([word, z.number()]);
}

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);
const settings = Object.fromEntries(
  Object.entries(settingFlags).map(([name, flag]) => [fieldOf(name), typeOf(flag).optional()]),
);
const fields = { ...settings, keys: z.strictObject(optionalKeys()).optional() };
const target = z.strictObject({ ...fields, baseUrl: word });
const file = z.strictObject({ ...fields, $schema: z.string().optional(), targets: z.record(word, target) });

function optionalKeys(): Record<string, z.ZodType> {
  return Object.fromEntries(Object.keys(keyRows).map((name) => [name, variable.optional()]));
}

/** The problem of a config, in one sentence; null for a good one. */
export function checkConfig(value: unknown): string | null {
  const result = file.safeParse(value, { reportInput: true });
  if (result.success) {
    const names = Object.keys((value as { targets: object }).targets);
    if (names.length === 0)
      return 'targets is empty: name one, as in { "targets": { "staging": { "baseUrl": "…" } } }.';
    return names.includes('self') ? 'a target cannot be called self, the name of the bundled mock.' : null;
  }
  const [issue] = result.error.issues;
  if (!issue) return 'it is not a config.';
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') return unknownField(issue.keys[0] as string, place);
  if (issue.path.includes('keys') && issue.path.at(-1) !== 'keys')
    return `${place} is not the name of an environment variable. Write the name of a variable instead of the key.`;
  const more = result.error.issues.length - 1;
  const others = more > 0 ? ` (and ${count(more, 'more problem')})` : '';
  return `${place || 'the config'} is ${describeIssue(issue)}${others}.`;
}

/** Keys are what people would write first. */
function unknownField(name: string, place: string): string {
  const where = place === '' ? '' : ` in ${place}`;
  if (/key(file)?$/i.test(name) && !place.endsWith('keys'))
    return `there is no setting "${name}"${where}. Write keys as { "keys": { "good": "NAME_OF_A_VARIABLE" } }.`;
  const known = place.endsWith('keys') ? Object.keys(keyRows) : Object.keys(place === '' ? file.shape : target.shape);
  return `there is no setting "${name}"${where}.${didYouMean(name, known, (text) => text)}`;
}
