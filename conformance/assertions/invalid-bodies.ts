// Bodies with an invalid value in every field, so a server that validates one of them creates nothing. `issues` shows
// which fields it validates (interpretation R26).

import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { type Exchange, errorCode, isObject, nameOfResponse } from '../exchange/exchange.ts';
import { about } from '../judge/claims.ts';
import { show } from '../judge/ledger.ts';
import type { Probe } from '../probe/probe.ts';
import { findField } from '../rules/envelope.ts';
import { invalidCounts, invalidObjects, invalidProviders, invalidTexts, invalidUris } from '../scenarios/inputs.ts';
import { drawn } from './invalid-inputs.ts';
import { isOfAccount, textMax } from './writes.ts';

type Fields = Readonly<Record<string, readonly [ClauseId, ...ClauseId[]]>>;

interface InvalidInput {
  readonly body: Readonly<Record<string, unknown>>;
  readonly breaks: Fields;
  readonly rejected: readonly [ClauseId, ...ClauseId[]];
}

/** Number of turns that cover each invalid value of each field. */
export const invalidTurns = invalidUris.length;

/** The clauses that a server violates if it accepts an invalid post. */
export const invalidPostClauses = [
  '4.connect.create-post.invalid',
  '4.connect.create-post.body',
  '2.create-post-input.text',
  '8.post-text',
  '2.create-post-input.media',
  '2.create-post-input.media.image-url',
  '2.create-post-input.link',
] as const satisfies readonly ClauseId[];

/** Each field is drawn by itself, so audits differ in more than one. */
export function invalidPost(probe: Probe, turn = 0): InvalidInput {
  return {
    body: {
      text: drawn(probe, invalidTexts(textMax.post), turn),
      media: drawn(probe, invalidObjects, turn + 1),
      link: drawn(probe, invalidUris, turn + 2),
    },
    breaks: {
      text: ['2.create-post-input.text', '8.post-text'],
      media: ['2.create-post-input.media', '2.create-post-input.media.image-url'],
      link: ['2.create-post-input.link'],
    },
    rejected: ['4.connect.create-post.invalid', '4.connect.create-post.body'],
  };
}

export function invalidReply(probe: Probe, turn = 0): InvalidInput {
  return {
    body: { text: drawn(probe, invalidTexts(textMax.reply), turn + 3) },
    breaks: { text: ['2.reply-review-input.text', '8.reply-text'] },
    rejected: ['4.connect.reply.invalid', '4.connect.reply.body'],
  };
}

export function invalidLink(probe: Probe, turn = 0): InvalidInput {
  return {
    body: {
      provider: drawn(probe, invalidProviders, turn + 4),
      label: drawn(probe, invalidTexts(textMax.label), turn + 5),
      maxAccounts: drawn(probe, invalidCounts, turn + 6),
    },
    breaks: {
      provider: ['2.connect-account-input.provider'],
      label: ['2.connect-account-input.label', '8.label'],
      maxAccounts: ['2.connect-account-input.max-accounts', '8.max-accounts'],
    },
    rejected: ['4.connect.create-link.invalid', '4.connect.create-link.body'],
  };
}

const optional: ReadonlySet<string> = new Set(['media', 'link', 'maxAccounts']);

/** Rejected as invalid; what comes before that leaves it open (interpretation R1). */
export function expectInvalidRejected(
  probe: Probe,
  exchange: Exchange,
  { body, breaks, rejected }: InvalidInput,
): void {
  if (errorCode(exchange) === 'not_found' || isOfAccount(exchange)) {
    probe.stop('precondition', `${nameOfResponse(exchange)} instead of a validation of the input`);
  }
  const [clause] = rejected;
  if (!probe.expectRejection(exchange, { status: 400, code: 'invalid_input', clause, proves: rejected })) return;
  const { issues, pointer, listed, text } = issuesOf(exchange);
  for (const [field, clauses] of Object.entries(breaks)) {
    // A server may take null for a field that is absent.
    if (body[field] === null && optional.has(field)) continue;
    const claim = { ...about(exchange, clauses[0], pointer), expected: `an issue for ${field}` };
    if (text.includes(field.toLowerCase())) probe.holds(true, { ...claim, proves: clauses, actual: 'named' });
    // A server that lists several problems without this one probably does not validate it.
    else if (listed > 1) probe.warn({ ...claim, actual: show(issues) });
  }
}

/** The problems of a rejection: their place, their number, and their text in lower case. */
export function issuesOf({ json }: Exchange) {
  const { value: issues, pointer } = findField(json, 'issues');
  const listed = Array.isArray(issues) ? issues.length : isObject(issues) ? Object.keys(issues).length : 0;
  return { issues, pointer, listed, text: (JSON.stringify(issues) ?? '').toLowerCase() };
}
