// Bodies of writes that are wrong in every member: whoever checks one of them makes no post, reply or link of it.
// `issues` tells which of the members were looked at (rulings R26).

import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { type Exchange, errorCode, isObject, nameOfAnswer } from '../exchange/exchange.ts';
import { show } from '../judge/ledger.ts';
import type { Probe } from '../probe/probe.ts';
import { findMember } from '../rules/envelope.ts';
import { about } from './claims.ts';
import { drawn, wrongCounts, wrongObjects, wrongProviders, wrongTexts, wrongUris } from './odd-inputs.ts';
import { isOfAccount, textMax } from './writes.ts';

type Members = Readonly<Record<string, readonly [ClauseId, ...ClauseId[]]>>;

interface WrongInput {
  readonly body: Readonly<Record<string, unknown>>;
  /** The clauses that each wrong member breaks. */
  readonly breaks: Members;
  /** The clauses that a refusal as invalid shows, whatever it lists. */
  readonly refused: readonly [ClauseId, ...ClauseId[]];
}

/** How many turns show each wrong value of each member. */
export const wrongTurns = wrongUris.length;

/** Each member is drawn by itself, so that audits differ in more than one. */
export function wrongPost(probe: Probe, turn = 0): WrongInput {
  return {
    body: {
      text: drawn(probe, wrongTexts(textMax.post), turn),
      media: drawn(probe, wrongObjects, turn + 1),
      link: drawn(probe, wrongUris, turn + 2),
    },
    breaks: {
      text: ['2.create-post-input.text', '8.post-text'],
      media: ['2.create-post-input.media', '2.create-post-input.media.image-url'],
      link: ['2.create-post-input.link'],
    },
    refused: ['4.connect.create-post.invalid', '4.connect.create-post.body'],
  };
}

export function wrongReply(probe: Probe, turn = 0): WrongInput {
  return {
    body: { text: drawn(probe, wrongTexts(textMax.reply), turn + 3) },
    breaks: { text: ['2.reply-review-input.text', '8.reply-text'] },
    refused: ['4.connect.reply.invalid', '4.connect.reply.body'],
  };
}

export function wrongLink(probe: Probe, turn = 0): WrongInput {
  return {
    body: {
      provider: drawn(probe, wrongProviders, turn + 4),
      label: drawn(probe, wrongTexts(textMax.label), turn + 5),
      maxAccounts: drawn(probe, wrongCounts, turn + 6),
    },
    breaks: {
      provider: ['2.connect-account-input.provider'],
      label: ['2.connect-account-input.label', '8.label'],
      maxAccounts: ['2.connect-account-input.max-accounts', '8.max-accounts'],
    },
    refused: ['4.connect.create-link.invalid', '4.connect.create-link.body'],
  };
}

const OPTIONAL: ReadonlySet<string> = new Set(['media', 'link', 'maxAccounts']);

/** Refused as invalid; what comes before that leaves it open (rulings R1). */
export function expectWrongRefused(probe: Probe, exchange: Exchange, { body, breaks, refused }: WrongInput): void {
  if (errorCode(exchange) === 'not_found' || isOfAccount(exchange)) {
    probe.stop('precondition', `${nameOfAnswer(exchange)} came before the input was looked at`);
  }
  const [clause] = refused;
  if (!probe.expectRefusal(exchange, { status: 400, code: 'invalid_input', clause, proves: refused })) return;
  const { issues, listed, text } = issuesOf(exchange);
  for (const [member, clauses] of Object.entries(breaks)) {
    // A server may take null for a member that is absent.
    if (body[member] === null && OPTIONAL.has(member)) continue;
    const claim = { ...about(exchange, clauses[0], '/error/issues'), expected: `a problem of ${member}` };
    if (text.includes(member.toLowerCase())) probe.holds(true, { ...claim, proves: clauses, actual: 'named' });
    // Who lists several problems and not this one seems not to have looked.
    else if (listed > 1) probe.warn({ ...claim, actual: show(issues) });
  }
}

/** What a refusal says of its problems: how many it lists, and all that they say, in small letters. */
export function issuesOf({ json }: Exchange): { issues: unknown; listed: number; text: string } {
  const issues = findMember(json, 'issues');
  const listed = Array.isArray(issues) ? issues.length : isObject(issues) ? Object.keys(issues).length : 0;
  return { issues, listed, text: (JSON.stringify(issues) ?? '').toLowerCase() };
}
