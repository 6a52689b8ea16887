// Cites 4.calls.*.
import { ok } from '../../domain/outcome.ts';
import type { Handler } from '../call.ts';

export const listCalls: Handler<'listCalls'> = ({ since, limit }, { organization, world, nowMs }) => {
  const { calls } = organization;
  if (since === undefined) {
    const data = calls.snapshot({ limit, nowMs, unsettled: world.choices.snapshotRunning === 'show' });
    return ok({ data, summary: `The ${data.calls.length} newest calls.` });
  }
  const data = calls.since(since, { limit, nowMs });
  return ok({ data, summary: data.calls.length === 0 ? 'Nothing new.' : `${data.calls.length} calls.` });
};
