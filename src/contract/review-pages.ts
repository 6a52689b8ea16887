// The habits of a deployment can differ between kinds of pages of reviews, and between accounts.
import type { Shape, Share } from './shape.ts';

/** Each kind, and the kinds whose habit it has where it was not seen. */
const alike = {
  reviewPage: { aggregate: 'onlyPage', end: '' },
  laterPage: { aggregate: 'lastPage reviewPage', end: '' },
  onlyPage: { aggregate: 'reviewPage', end: 'unratedPage lastPage emptyPage' },
  lastPage: { aggregate: 'laterPage reviewPage', end: 'emptyPage onlyPage unratedPage' },
  emptyPage: { aggregate: 'lastPage laterPage reviewPage', end: 'lastPage onlyPage unratedPage' },
  unratedPage: { aggregate: '', end: 'onlyPage lastPage emptyPage' },
  repliedPage: { aggregate: '', end: '' },
} as const;

/**
 * `reviewPage` is the first of several, `unratedPage` the only page of an account without ratings, and `repliedPage`
 * the last page after a client replied.
 */
export type PageKind = keyof typeof alike;
export const pageKinds = Object.keys(alike) as readonly PageKind[];

export interface PagePlace {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isEmpty: boolean;
  readonly isRated: boolean;
}

export function pageKindOf({ isFirst, isLast, isEmpty, isRated }: PagePlace): PageKind {
  if (isFirst) return !isLast ? 'reviewPage' : isRated ? 'onlyPage' : 'unratedPage';
  return !isLast ? 'laterPage' : isEmpty ? 'emptyPage' : 'lastPage';
}

/** How many pages of a kind lack the aggregate, or end without a cursor; undefined if no page shows it. */
export function lackOn(
  records: Shape | null | undefined,
  kind: PageKind,
  what: 'aggregate' | 'end',
): Share | undefined {
  const name = what === 'end' ? 'nextCursor' : what;
  const kinds = [kind, ...alike[kind][what].split(' ')];
  const shape = kinds.map((each) => records?.fields?.[each]?.fields?.[name]).find((each) => each !== undefined);
  return shape && (shape.absent ?? 0);
}
