// What the kit may not, or cannot, notice: each name with the reason.

const shortPage = 'A page with a cursor may be short (as R17 says of articles): the kit warns or notes it.';
const lostReview =
  'Only aggregate.reviewCount tells of a review that no page shows, and what it counts is not stated (R23): the kit warns.';

/** Mutants that no check can kill without failing a legal server, or without what no run is given. */
export const unkillable: Readonly<Record<string, string>> = {
  'sites-redirected-off-base':
    'The run ends at the door, with exit code 4 and one sentence about the redirect, before any check has begun.',
  'link-shared-by-all': 'What single use means beside maxAccounts is open, so types only (R29): the kit warns.',
  'reviews-page-lost': lostReview,
  'reviews-row-lost-at-page-edge': lostReview,
  'calls-default-limit-20': shortPage,
  'calls-limit-200-gives-100': shortPage,
  'insights-range-case-ignored': 'Whether letters of a range have a case is nowhere said: the kit warns.',
  'article-updated-with-blank': 'The parser of src/contract takes a blank for the T, as RFC 3339 does.',
  'reviews-tie-lost': lostReview,
  'post-account-without-hyphens':
    'A lenient reader of UUIDs takes the same id in another spelling (R10 asks for refusals of version and variant only).',
  'address-window-eight-seconds':
    'A fixed window of ten seconds lets as many through; only sixty more requests in forty seconds would tell (R44).',
  'snapshot-hides-running':
    'Section 3 hides a call until it has settled: the other legal reading (3.call.snapshot-visibility).',
  'key-case-ignored': 'The key ends in hexadecimal digits (5.key-form), and those have no case.',
};

/** Checks of level must that kill no mutant, and why they stand all the same. */
export const idleChecks: Readonly<Record<string, string>> = {};
