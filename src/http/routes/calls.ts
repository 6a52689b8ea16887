// Cites 4.calls.*.
import { type Handler, unchanged } from '../handler.ts';

export const listCalls: Handler<'listCalls'> = ({ since, limit }, { organization, world, nowMs }) => {
  const { calls } = organization;
  if (since === undefined) {
    const data = calls.snapshot({ limit, nowMs, unsettled: world.choices.snapshotRunning === 'show' });
    return unchanged({ data, summary: `The ${data.calls.length} newest calls.` });
  }
  const data = calls.since(since, { limit, nowMs });
  return unchanged({ data, summary: data.calls.length === 0 ? 'Nothing new.' : `${data.calls.length} calls.` });
};
