// The stream of visible calls with the paging errors of an incorrect server.
import type { CallRecord } from '../../contract/basis.ts';
import type { CallPage, Calls } from '../../domain/calls.ts';
import type { Organization } from '../../domain/world.ts';
import type { Wrap } from './mutant.ts';
import { type KeyedRequest, onSuccess } from './recipes.ts';
import { change, isObject, type Json, type JsonObject } from './rewrite.ts';

/** Edits a response to a poll, which has `since`. */
export function onPoll(edit: (page: JsonObject, exchange: KeyedRequest) => JsonObject): Wrap {
  return onSuccess('listCalls', (body, exchange) =>
    exchange.query.since === undefined
      ? body
      : change('data', (data) => (isObject(data) ? edit(data, exchange) : data))(body),
  );
}

export function onSnapshot(edit: (page: JsonObject, exchange: KeyedRequest) => JsonObject): Wrap {
  return onSuccess('listCalls', (body, exchange) =>
    exchange.query.since === undefined
      ? change('data', (data) => (isObject(data) ? edit(data, exchange) : data))(body)
      : body,
  );
}

/** Empty where a mutant before it has taken the list away. */
export function callsIn(page: JsonObject): CallRecord[] {
  return (page.calls ?? []) as unknown as CallRecord[];
}

/** As the client asked, or the default of section 4. */
export function limitOf({ query }: KeyedRequest): number {
  return Number(query.limit ?? 50);
}

/** The page that the mock gives for another cursor or limit. */
export function pageSince(exchange: KeyedRequest, { since, limit }: { since?: string; limit?: number }): CallPage {
  const { organization, context, query } = exchange;
  return organization.calls.since(since ?? query.since ?? '', {
    limit: limit ?? limitOf(exchange),
    nowMs: context.nowMs(),
  });
}

/** All calls that pollers may see now, in the order of the stream. */
export function visibleCalls({ organization, context }: KeyedRequest): CallRecord[] {
  return organization.calls.since('1970-01-01T00:00:00Z', { limit: 1_000_000, nowMs: context.nowMs() }).calls;
}

export function asPage(calls: readonly CallRecord[], nextCursor: string | null): JsonObject {
  return { calls: calls as unknown as Json[], nextCursor };
}

/** A copy of an organization's log, made again whenever a call has come or gone. */
export function calibrationLog(make: (organization: Organization) => Calls): (organization: Organization) => Calls {
  const twins = new WeakMap<Calls, { size: number; log: Calls }>();
  return (organization) => {
    const { calls } = organization;
    const known = twins.get(calls);
    if (known && known.size === calls.size) return known.log;
    const log = make(organization);
    twins.set(calls, { size: calls.size, log });
    return log;
  };
}
