// Options in JavaScript are not checked by a compiler, and a mistyped one would do nothing in silence. They are checked
// by the shapes of the control plane.
import { type FaultInput, faultShape, ruleProblem } from '../admin/fault-routes.ts';
import { ringShape } from '../admin/ring-shape.ts';
import { flag, number, object, oneOf, optional, type Reader, type Shape, text } from '../admin/shape.ts';
import { operations } from '../contract/generated/operations.ts';
import { type ReadingId, readings } from '../contract/generated/readings.ts';
import { tools } from '../contract/generated/tools.ts';
import { isReadingId, readProfile, whyNoReading } from '../contract/profile.ts';
import { didYouMean } from '../terminal/suggestion.ts';

const anything: Reader<unknown> = (value) => ({ ok: true, value });

const aReading =
  (id: ReadingId): Reader<unknown> =>
  (value, name) => {
    const problem = whyNoReading(id, value);
    return problem === null ? { ok: true, value } : { ok: false, problem: `${name} ${problem}.` };
  };

const choices = Object.fromEntries(
  Object.keys(readings)
    .filter(isReadingId)
    .map((id) => {
      const row = readings[id];
      return [id, optional('values' in row ? oneOf<string>(row.values) : aReading(id))];
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

/** A number is told of as one, and everything else as what it might have been. */
const aSeed: Reader<unknown> = (value, name) => {
  const read = typeof value === 'number' ? wholeSeed(value, name) : flag(value, name);
  if (read.ok || typeof value === 'number') return read;
  return { ok: false, problem: `${name} has to be true, false or a seed, not ${JSON.stringify(value)}.` };
};

// World, clock start and mutant are told of where they are read.
const mockShape = {
  world: anything,
  seed: optional(number({ min: 0, max: 0xffff_ffff, whole: true })),
  limits: optional(flag),
  relaxed: optional(flag),
  clock: optional(oneOf(['frozen', 'running'])),
  startAt: anything,
  choices: optional(object(choices)),
  profile: optional(aProfile),
  latency: optional(flag),
  settleS: optional(number({ min: 0, max: 86_400 })),
  grease: optional(aSeed),
  strict: optional(flag),
  clients: optional(oneOf(['one', 'many'])),
  mutant: optional(text(200)),
} satisfies Shape;

const doorShape = {
  port: optional(number({ min: 0, max: 65_535, whole: true })),
  host: optional(text(255)),
  cors: anything,
  replaces: optional(text(2000)),
  baseUrl: optional(text(2000)),
  persist: optional(flag),
} satisfies Shape;

/** Throws a `RangeError` for the first option that a mock or this door does not have or cannot use. */
export function checkMockOptions(caller: string, options: object, own: readonly (keyof typeof doorShape)[]): void {
  const doors = Object.fromEntries(own.map((name) => [name, doorShape[name]]));
  check(caller, options, { ...mockShape, ...doors });
  const { grease = false, profile } = options as { grease?: unknown; profile?: unknown };
  if (grease !== false && profile !== undefined)
    throw new RangeError(
      `${caller}: grease draws readings and profile brings those of a deployment; give one of them.`,
    );
}

const filterShape = {
  operation: optional(oneOf([...Object.keys(operations), ...Object.keys(tools)])),
  method: optional(text(100)),
  path: anything,
  status: optional(number({ min: 100, max: 599, whole: true })),
  organizationId: optional(text()),
  blockedBy: optional(oneOf(['address', 'key'])),
} satisfies Shape;

export const checkFilter = (caller: string, filter: object): void => check(caller, filter, filterShape);

const { key: _, ...ownRing } = ringShape;
export const checkRing = (options: object): void => check('casa.calls.ring', options, ownRing);

export const checkOrganization = (options: object): void =>
  check('casa.organizations.add', options, { world: optional(text(100)), name: optional(text(80)) });

/** Shape first, then what holds between members. Throws a `RangeError` with one sentence. */
export function checkFault(fault: object): void {
  check('casa.faults.add', fault, faultShape);
  const problem = ruleProblem(fault as FaultInput);
  if (problem !== null) throw new RangeError(`casa.faults.add: ${problem}`);
}

/** Throws a `RangeError` with one sentence. */
export function check(caller: string, options: unknown, shape: Shape): void {
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new RangeError(`${caller}: the options are an object, not ${JSON.stringify(options) ?? 'nothing'}.`);
  }
  const known = Object.keys(shape);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const guess = didYouMean(unknown, known) || ` Options: ${known.join(', ')}.`;
    throw new RangeError(`${caller}: there is no option "${unknown}".${guess}`);
  }
  for (const [name, read] of Object.entries(shape)) {
    const found = read((options as Record<string, unknown>)[name], name);
    if (!found.ok) throw new RangeError(`${caller}: ${found.problem}`);
  }
}
