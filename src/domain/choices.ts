// Where the contract leaves room, the mock picks one reading; the ones that users may want otherwise are switches.
// Each is an entry of spec/choices.md.

export interface Choices {
  /** C21: GET /keywords for a site that the organization does not have. */
  readonly unknownSite: 'not_found' | 'empty';
  /** C21: GET /articles filtered by such a site. */
  readonly articlesUnknownSite: 'empty' | 'not_found';
  /** C19: a bad `limit` or `siteId` on GET /articles. */
  readonly badArticleQuery: 'refuse' | 'clamp';
  /** C20: an id that is not a UUID on GET /articles/{id} and GET /sites/{id}. */
  readonly malformedId: 'not_found' | 'invalid_input';
  /** C46: whether a blocked answer carries Retry-After; `usually` leaves it out of every fifth. */
  readonly retryAfter: 'usually' | 'always' | 'never';
  /** C14: how the last page of reviews ends. */
  readonly reviewEnd: 'null' | 'absent';
  /** C49: whether the body cap is judged before or after the key. */
  readonly bodyCap: 'after-key' | 'before-key';
  /** C45: whether refused requests spend the window. */
  readonly blockedCount: 'no' | 'yes';
  /** C39: whether the snapshot of the call log shows running calls. */
  readonly snapshotRunning: 'show' | 'hide';
}

/** All values of each choice; the default comes first. */
export const choiceValues = {
  unknownSite: ['not_found', 'empty'],
  articlesUnknownSite: ['empty', 'not_found'],
  badArticleQuery: ['refuse', 'clamp'],
  malformedId: ['not_found', 'invalid_input'],
  retryAfter: ['usually', 'always', 'never'],
  reviewEnd: ['null', 'absent'],
  bodyCap: ['after-key', 'before-key'],
  blockedCount: ['no', 'yes'],
  snapshotRunning: ['show', 'hide'],
} as const satisfies { readonly [Name in keyof Choices]: readonly Choices[Name][] };

/** The readings that each entry of spec/choices.md argues for. */
export const defaultChoices: Choices = {
  unknownSite: 'not_found',
  articlesUnknownSite: 'empty',
  badArticleQuery: 'refuse',
  malformedId: 'not_found',
  retryAfter: 'usually',
  reviewEnd: 'null',
  bodyCap: 'after-key',
  blockedCount: 'no',
  snapshotRunning: 'show',
};
