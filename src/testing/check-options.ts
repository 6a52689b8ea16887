// Options in JavaScript are not checked by a compiler, and a mistyped one would do nothing in silence. They are checked
// by the table of options and the shapes of the admin API.
import { flag, number, object, oneOf, optional, type Reader, type Shape, type Shaped, text } from '../admin/shape.ts';
import { faultShape, readRule } from '../admin/verbs/faults.ts';
import { type BehaviorId, behaviors } from '../contract/generated/behaviors.ts';
import { operations } from '../contract/generated/operations.ts';
import { tools } from '../contract/generated/tools.ts';
import { isBehaviorId, readProfile, whyNoBehavior } from '../contract/profile.ts';
import type { FaultRule } from '../domain/faults.ts';
import { readerOf, readFields } from '../options/define-options.ts';
import { optionRows, rows } from '../options/mock-options.ts';

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

// World, clock start and mutant are notified of where they are read.
const mockShape: Shape = {
  ...Object.fromEntries(optionRows.flatMap(([name, row]) => (row.isForTests ? [[name, optional(readerOf(row))]] : []))),
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

const transportShape = {
  port: optional(readerOf(rows.port)),
  host: optional(readerOf(rows.host)),
  cors: (value, name) => (Array.isArray(value) ? readerOf(rows.corsOrigin) : anything)(value, name),
  clock: optional(oneOf(['frozen', 'running', 'page'])),
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

/** A number of requests. */
export const times = optional(number({ min: 0, max: 1_000_000, whole: true }));

export const operationName = oneOf([...Object.keys(operations), ...Object.keys(tools)]);

const filterShape = {
  operation: optional(operationName),
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
export function check<S extends Shape>(caller: string, options: unknown, shape: S, noun = 'option'): Shaped<S> {
  const read = readFields(options, shape, { noun });
  if (!read.ok) throw new RangeError(`${caller}: ${read.problem}`);
  return read.value as Shaped<S>;
}
