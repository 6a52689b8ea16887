// Cites 4.calls.*.
import { count } from '../../terminal/count.ts';
import { type Handler, unchanged } from '../handler.ts';

export const listCalls: Handler<'listCalls'> = ({ since, limit: asked }, { organization, world, nowMs }) => {
  const { calls } = organization;
  const { callsPageCap, snapshotRunning, snapshotCursor } = world.choices;
  const limit = Math.min(asked, callsPageCap);
  if (since === undefined) {
    const shown = calls.snapshot({ limit, nowMs, unsettled: snapshotRunning === 'show' });
    const data = snapshotCursor === 'string' ? { ...shown, nextCursor: calls.position(nowMs) } : shown;
    return unchanged({ data, summary: `The ${data.calls.length} newest calls.` });
  }
  const data = calls.since(since, { limit, nowMs });
  return unchanged({
    data,
    summary: data.calls.length === 0 ? 'Nothing new.' : `${count(data.calls.length, 'call')}.`,
  });
};
