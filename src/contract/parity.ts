// The parity card: the source of each operation of a calibrated mock, by aspect.

import { type Aspect, assumedDetails, type Behavior, behaviors } from './generated/behaviors.ts';
import { type OperationId, operations } from './generated/operations.ts';
import { places } from './generated/record-fields.ts';
import type { LearntFrom } from './profile.ts';

/** The columns, with their titles. */
export const aspects: Readonly<Record<Aspect, string>> = {
  shape: 'Shape',
  rejections: 'Rejections',
  order: 'Order and pages',
  effects: 'Effects of writes',
  limits: 'Limits',
  time: 'Time',
};

/** How a mock knows a detail or a cell. `stated` means that the contract leaves nothing open there. */
export type ParityState = 'learnt' | 'stated' | 'assumed' | 'unknown';

/** A detail that the contract leaves open. */
export interface ParityDetail {
  readonly id: string;
  readonly about: string;
  readonly state: Exclude<ParityState, 'stated'>;
  /** How often the deployment showed it; 0 if it is not learnt. */
  readonly seen: number;
  /** Why it is not learnt; null if it is. */
  readonly reason: string | null;
  /** The command that can find out; null if no run can. */
  readonly command: string | null;
}

/** One operation in one aspect: as well known as its least known detail. */
export interface ParityCell {
  readonly state: ParityState;
  /** The smallest number of observations of its learnt details. */
  readonly seen: number;
  readonly details: readonly string[];
}

/** The card. It has no total, because one number cannot describe all cells. */
export interface Parity {
  readonly casaParity: 1;
  readonly target: string | null;
  readonly learntOn: string | null;
  /** Null where the aspect does not apply to the operation. */
  readonly operations: Readonly<Record<OperationId, Readonly<Record<Aspect, ParityCell | null>>>>;
  readonly details: Readonly<Record<string, ParityDetail>>;
}

type Row = Partial<Behavior> & Pick<Behavior, 'about' | 'interpretation'>;
const rows = new Map<string, Row>([
  ...Object.entries(behaviors as Record<string, Row>),
  ...Object.entries(assumedDetails),
]);
const allOperations = Object.values(operations);
const ranks: readonly ParityState[] = ['unknown', 'assumed', 'learnt', 'stated'];

/**
 * Returns what a mock knows, from the source of its behaviors; without a source, nothing is learnt.
 *
 * @example
 * const { operations } = parityOf(sourceOf(profile));
 * operations.listArticles.order?.state; // 'learnt'
 */
export function parityOf(learnt?: LearntFrom, file = 'casa.profile.json'): Parity {
  const listed = [...rows].filter(([, row]) => aspectOf(row) !== null);
  const details = Object.fromEntries(listed.map(([id, row]) => [id, detailOf(id, row, { learnt, file })]));
  const cells = allOperations.map((operation) => {
    const own = (Object.keys(aspects) as Aspect[]).map((aspect) => {
      const ids = listed.filter(([, row]) => aspectOf(row) === aspect && isOf(row, operation)).map(([id]) => id);
      return [aspect, ids.length === 0 && !applies(aspect, operation) ? null : cellOf(ids, details)];
    });
    return [operation.id, Object.fromEntries(own)];
  });
  const { target = null, on = null } = learnt ?? {};
  return { casaParity: 1, target, learntOn: on, operations: Object.fromEntries(cells), details };
}

/** Returns a cell in words: `learnt 12`, or how many of its details are not learnt. */
export function spellCell(cell: ParityCell | null, { details }: Pick<Parity, 'details'>): string {
  if (cell === null) return '-';
  if (cell.state === 'stated') return 'stated';
  if (cell.state === 'learnt') return `learnt ${cell.seen}`;
  const alike = cell.details.filter((id) => details[id]?.state === cell.state).length;
  return `${cell.state} ${alike} of ${cell.details.length}`;
}

/** A read changes nothing, and one record has no order. */
function applies(aspect: Aspect, { id, method }: (typeof allOperations)[number]): boolean {
  return aspect === 'effects' ? method === 'POST' : aspect !== 'order' || id.startsWith('list');
}

/** `badArticleQuery` has no aspect, because it represents behaviors that have one. Nor has the prefix of keys. */
function aspectOf({ aspect, input, fields }: Row): Aspect | null {
  return aspect ?? (input ? 'rejections' : fields ? 'shape' : null);
}

function isOf({ operations: own, input, fields = [] }: Row, { id, method, envelope }: (typeof allOperations)[number]) {
  if (own === 'all') return true;
  if (own === 'tool') return envelope === 'tool';
  if (own === 'write') return method === 'POST';
  const objects = new Set(fields.map((field) => field.slice(0, field.lastIndexOf('.'))));
  return (own ?? input?.operations)?.includes(id) ?? places[id].some(({ of }) => objects.has(of));
}

function cellOf(ids: readonly string[], details: Parity['details']): ParityCell {
  const own = ids.flatMap((id) => details[id] ?? []);
  const state = ranks.find((rank) => own.some((detail) => detail.state === rank)) ?? 'stated';
  const seen = Math.min(...own.filter((detail) => detail.state === 'learnt').map((detail) => detail.seen));
  return { state, seen: Number.isFinite(seen) ? seen : 0, details: ids };
}

function detailOf(
  id: string,
  row: Row,
  { learnt, file }: { learnt: LearntFrom | undefined; file: string },
): ParityDetail {
  const { about, seen: shown, unseen, interpretation } = row;
  const seen = (learnt?.seen as Record<string, number> | undefined)?.[id];
  if (seen !== undefined) return { id, about, state: 'learnt', seen, reason: null, command: null };
  if (shown === undefined)
    return {
      id,
      about,
      state: 'assumed',
      seen: 0,
      reason: unseen ?? `${interpretation} leaves it open`,
      command: null,
    };
  const why = (learnt?.unknown as Record<string, string> | undefined)?.[id] ?? `not observed; needs ${shown}`;
  return { id, about, state: 'unknown', seen: 0, reason: why, command: commandFor(why, shown, learnt ?? {}, file) };
}

/** More time shows more, unless the detail needs a write or a violation hides it. */
function commandFor(why: string, shown: string, { target }: Partial<LearntFrom>, file: string): string {
  const [host, profile] = [target, file].map((text) => (/^[\w.:[\]/@+-]+$/.test(text ?? '') ? text : null));
  const origin = /^http:\/\/[^/]/.test(host ?? '') ? host : `https://${host ?? 'HOST'}`;
  const url = `--base-url ${origin}/api/v1`;
  const check = /^(\S+) found a violation/.exec(why)?.[1];
  if (check !== undefined) return `npx casa-conformance ${url} --only ${check}`;
  const writes = /--allow-writes=\w+/.exec(shown)?.[0];
  const more = writes === undefined ? '--minutes 3' : `--account ID ${writes} --minutes 10`;
  return `npx casa-conformance calibrate ${url} --profile ${profile ?? 'FILE'} ${more}`;
}
