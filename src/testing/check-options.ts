// Options in JavaScript are not checked by a compiler, and a mistyped one would do nothing in silence. They are checked
// by the shapes of the admin API.

import { flag, number, object, oneOf, optional, type Reader, type Shape, type Shaped, text } from '../admin/shape.ts';
import { faultShape, readRule } from '../admin/verbs/faults.ts';
import { type BehaviorId, behaviors } from '../contract/generated/behaviors.ts';
import { operations } from '../contract/generated/operations.ts';
import { tools } from '../contract/generated/tools.ts';
import { isBehaviorId, readProfile, whyNoBehavior } from '../contract/profile.ts';
import type { FaultRule } from '../domain/faults.ts';
import { type Kind, mockOptions, type OptionName, optionRows } from '../options/mock-options.ts';
import { didYouMean } from '../terminal/suggestion.ts';

export const anything: Reader<unknown> = (value) => ({ ok: true, value });

const aBehavior =
  (id: BehaviorId): Reader<unknown> =>
  (value, name) => {
    const problem = whyNoBehavior(id, value);
    return problem === null ? { ok: true, value } : { ok: false, problem: `${name} ${problem}.` };
  };

const behavior = Object.fromEntries(
  Object.keys(behaviors)
    .filter(isBehaviorId)
    .map((id) => {
      const row = behaviors[id];
      return [id, optional('values' in row ? oneOf<string>(row.values) : aBehavior(id))];
    }),
);

const aProfile: Reader<unknown> = (value, name) => {
  if (typeof value === 'string')
    return { ok: false, problem: `${name} is the parsed JSON of a profile, not its text or the name of its file.` };
  try {
    return { ok: true, value: readProfile(value) };
  } catch (error) {
    return { ok: false, problem: `${name} cannot be used: ${(error as Error).message}.` };
  }
};

const wholeSeed = number({ min: 0, max: 0xffff_ffff, whole: true });

/** A number is notified of as one, and everything else as what it might have been. */
const aSeed: Reader<unknown> = (value, name) => {
  const read = typeof value === 'number' ? wholeSeed(value, name) : flag(value, name);
  if (read.ok || typeof value === 'number') return read;
  return { ok: false, problem: `${name} must be true, false or a seed, not ${JSON.stringify(value)}.` };
};

const kinds: { readonly [K in Kind]?: (max: number | undefined) => Reader<unknown> } = {
  switch: () => flag,
  text: () => text(255),
  whole: (max = 0) => number({ min: 0, max, whole: true }),
  seconds: (max = 0) => number({ min: 0, max }),
  seed: () => aSeed,
};

/** Checks an option of the table. */
const ofTable = (name: OptionName): Reader<unknown> => {
  const { kind, max }: { readonly kind: Kind; readonly max?: number } = mockOptions[name];
  return optional(kinds[kind]?.(max) ?? anything);
};

// World, clock start and mutant are notified of where they are read.
const mockShape: Shape = {
  ...Object.fromEntries(optionRows.flatMap(([name, { isForTests }]) => (isForTests ? [[name, ofTable(name)]] : []))),
  world: anything,
  clock: optional(oneOf(['frozen', 'running'])),
  startAt: anything,
  behavior: optional(object(behavior)),
  profile: optional(aProfile),
  clients: optional(oneOf(['one', 'many'])),
};

/** Where a client reaches an API. The example is one of many: the path is free. */
const absoluteUrl: Reader<string> = (value, name) => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  if (url && /^https?:$/.test(url.protocol) && `${url.search}${url.hash}${url.username}` === '') {
    return { ok: true, value: value as string };
  }
  const example = 'an absolute URL without a query, for example https://api.example.com/api/v1';
  return { ok: false, problem: `${name} must be ${example}, not ${JSON.stringify(value)}.` };
};

/** A text with a form, in its usual form. */
const ofRow =
  (option: 'host' | 'corsOrigin'): Reader<string> =>
  (value, name) => {
    const { takes, read } = mockOptions[option];
    const found = typeof value === 'string' ? read(value) : null;
    return found === null
      ? { ok: false, problem: `${name} takes ${takes}, not ${JSON.stringify(value)}.` }
      : { ok: true, value: found };
  };

const corsOrigins: Reader<readonly string[]> = (value, name) => {
  const origins = (value as unknown[]).map((each) => ofRow('corsOrigin')(each, name));
  const bad = origins.find(({ ok }) => !ok);
  return bad && !bad.ok ? bad : { ok: true, value: origins.flatMap((each) => (each.ok ? [each.value] : [])) };
};

const transportShape = {
  port: ofTable('port'),
  host: optional(ofRow('host')),
  cors: (value, name) => (Array.isArray(value) ? corsOrigins(value, name) : anything(value, name)),
  replaces: optional(absoluteUrl),
  baseUrl: optional(absoluteUrl),
  persist: optional(flag),
  addKey: optional(flag),
} satisfies Shape;

/** Returns the options in their usual form. Throws a `RangeError` for the first that this function cannot use. */
export function checkMockOptions<Options extends object>(
  caller: string,
  options: Options,
  own: readonly (keyof typeof transportShape)[],
): Options {
  const transports = Object.fromEntries(own.map((name) => [name, transportShape[name]]));
  const { host, cors } = check(caller, options, { ...mockShape, ...transports }) as Shaped<typeof transportShape>;
  const { grease = false, profile } = options as { grease?: unknown; profile?: unknown };
  if (grease !== false && profile !== undefined)
    throw new RangeError(`${caller}: grease and profile exclude each other: remove one.`);
  return { ...options, ...(host !== undefined && { host }), ...(cors !== undefined && { cors }) };
}

/** Throws a `RangeError` unless it is the base URL of an API. */
export function checkBaseUrl(caller: string, baseUrl: string): void {
  check(caller, { baseUrl }, { baseUrl: absoluteUrl });
}

const filterShape = {
  operation: optional(oneOf([...Object.keys(operations), ...Object.keys(tools)])),
  method: optional(text(100)),
  path: anything,
  status: optional(number({ min: 100, max: 599, whole: true })),
  organizationId: optional(text()),
  blockedBy: optional(oneOf(['address', 'key'])),
} satisfies Shape;

export function checkFilter(caller: string, filter: object): void {
  check(caller, filter, filterShape);
}

/** The rule of a fault; `id` is for one without its own. Throws a `RangeError` with one sentence. */
export function readFault(fault: object, id: string, warn: (sentence: string) => void): FaultRule {
  const input = check('casa.faults.add', fault, faultShape);
  const rule = readRule(input, input.id ?? id, warn);
  if (typeof rule === 'string') throw new RangeError(`casa.faults.add: ${rule}`);
  return rule;
}

/** Returns the parsed options. Throws a `RangeError` with one sentence. */
export function check<S extends Shape>(caller: string, options: unknown, shape: S): Shaped<S> {
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new RangeError(`${caller}: the options are an object, not ${JSON.stringify(options) ?? 'nothing'}.`);
  }
  const known = Object.keys(shape);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const guess = didYouMean(unknown, known) || ` Options: ${known.join(', ')}.`;
    throw new RangeError(`${caller}: there is no option "${unknown}".${guess}`);
  }
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(shape)) {
    const found = read((options as Record<string, unknown>)[name], name);
    if (!found.ok) throw new RangeError(`${caller}: ${found.problem}`);
    if (found.value !== undefined) values[name] = found.value;
  }
  return values as Shaped<S>;
}
