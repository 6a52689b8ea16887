// Everything that happens, as server-sent events: for the dashboard and for scripts that wait for something.
import type { EngineEvent } from '../engine/commit.ts';
import { redactKeys } from '../engine/redaction.ts';
import { describeOutline, type RequestLogEntry } from '../engine/request-log-record.ts';
import type { CoreResponse } from '../http/message.ts';
import { type AdminCall, replyText } from './reply.ts';
import { describeClock } from './verbs/clock.ts';

/** Begins with the clock, so a page that comes back shows the time at once. */
export const streamEvents = (call: AdminCall): CoreResponse => ({
  ...replyText('', { 'content-type': 'text/event-stream; charset=utf-8' }),
  stream: (send, end) => {
    send(`retry: 2000\n\n${format('clock', describeClock(call))}`);
    const unsubscribe = call.engine.subscribe((event) => send(format(event.type, describeEvent(event, call))));
    const close = () => {
      unsubscribe();
      end();
    };
    call.streams.add(close);
    return () => {
      unsubscribe();
      call.streams.remove(close);
    };
  },
});

/** One event: JSON has no line breaks, so one `data:` line holds it. */
function format(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The name of the event says its form; the schemas are in spec/generate/admin.yaml. */
function describeEvent(event: EngineEvent, call: AdminCall): unknown {
  switch (event.type) {
    case 'exchange':
      return { ...describeExchange(event.entry), ...call.engine.requestLog.timing(event.entry.id) };
    case 'violation':
      return event.violation;
    case 'clock':
      return describeClock(call);
    case 'change':
      return { what: event.what };
    case 'reset':
      return {};
  }
}

// A line of the log; the whole is at requests/{id}.
function describeExchange(entry: RequestLogEntry) {
  const { request, response, trace } = entry;
  return {
    ...describeOutline(entry),
    method: request.method,
    path: redactKeys(request.path),
    query: redactKeys(request.query),
    status: response.status,
    network: response.network ?? null,
    operation: typeof trace.routing === 'string' ? null : trace.routing.operation.id,
  };
}
