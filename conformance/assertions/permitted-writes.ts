// Posts and replies with permission to write share these. They go to the account that the user named.
import { type Exchange, nameOfAnswer } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import type { Claim } from '../judge/ledger.ts';
import type { Check } from '../probe/check.ts';
import type { Probe } from '../probe/probe.ts';
import { aboutStatus } from './claims.ts';
import { isOfAccount } from './write-answers.ts';

/** The check that shows first that the target takes any of the kind. */
const FIRST = { posts: 'posts/publishes', replies: 'replies/path-wins' } as const;

type Kind = keyof typeof FIRST;
type Usual = 'level' | 'phase' | 'needs' | 'after' | 'mutates';

/** A check behind the first one of its kind, which leaves nothing behind unless it says so. */
export function writtenCheck(kind: Kind, check: Omit<Check, Usual> & Partial<Pick<Check, Usual>>): Check {
  return {
    level: 'must',
    phase: 'writes',
    needs: ['account', `writes:${kind}`],
    after: [FIRST[kind]],
    mutates: 'nothing, unless the target takes what it must refuse',
    ...check,
  };
}

export function accountOf(probe: Probe): string {
  return probe.settings.account ?? probe.stop('precondition', 'no account is named');
}

/** Each text tells which run has written it. */
export function tag(probe: Probe): string {
  return `casa-kit conformance ${probe.settings.runId}`;
}

/**
 * A right input is taken. The account or its platform may refuse whatever it holds, which tells nothing of the input.
 */
export function expectWritten(
  probe: Probe,
  exchange: Exchange,
  { clause, ...claim }: Pick<Claim, 'clause' | 'proves' | 'expected'>,
): void {
  if (isOfAccount(exchange)) probe.stop('precondition', `the account answers ${nameOfAnswer(exchange)}`);
  probe.holds(exchange.status === 200, { ...aboutStatus(exchange, clause), ...claim });
}

/** Bodies that hold no input to look into. */
export const noInputs: readonly (readonly [what: string, body: Pick<RequestSpec, 'body' | 'bytes'>])[] = [
  ['no body', {}],
  ['null', { body: null }],
  ['half a body', { bytes: new TextEncoder().encode('{"text":') }],
];

/** No input at all is refused with 400, unless the account or its platform refuses first. */
export function expectNoInput(
  probe: Probe,
  exchange: Exchange,
  { what, clause }: Pick<Claim, 'clause'> & { readonly what: string },
): void {
  if (!isOfAccount(exchange)) probe.expectStatus(exchange, 400, clause);
  else probe.doubt('precondition', `${nameOfAnswer(exchange)} came before ${what} was looked at`);
}
