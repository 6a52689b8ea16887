// Call records in five shapes: the fields of a call are not shown (R34).

import { type Call, type Context, showTime } from './types.ts';
import type { Variant } from './variants.ts';

/** The names of a call record's id and end, where it shows them at the top level. */
export interface CallFields {
  id?: string;
  endedAt?: string;
}

const fields: Readonly<Record<Variant['callShape'], CallFields>> = {
  camel: { id: 'id', endedAt: 'endedAt' },
  snake: { id: 'call_sid', endedAt: 'ended_at' },
  epoch: { id: 'ref', endedAt: 'over' },
  nested: {},
  bare: {},
};

/** For `--call-id-field` and `--call-ended-at-field`. */
export function callFieldsOf(shape: Variant['callShape']): CallFields {
  return fields[shape];
}

/** When the record is shown, and whether its outcome is final then. */
interface Moment {
  at: number;
  settled: boolean;
}

const outcomes = ['answered', 'voicemail', 'no-answer', 'busy'];

/** One call as the log shows it. Once settled, nothing in it depends on the clock any more. */
export function showCall(context: Context, call: Call, moment: Moment): Record<string, unknown> {
  const ended = call.ended !== null && call.ended <= moment.at ? call.ended : null;
  const seconds = Math.round(((ended ?? moment.at) - call.started) / 1000);
  const final = outcomes[call.number % outcomes.length] ?? 'answered';
  const outcome = ended === null ? 'in progress' : moment.settled ? final : 'being assessed';
  const phone = `+49 30 ${String(1_000_000 + call.number * 7919)}`;
  switch (context.variant.callShape) {
    case 'snake': {
      const stamps = { started_at: call.started / 1000, ended_at: ended === null ? null : ended / 1000 };
      return { call_sid: call.ref, phone, ...stamps, talk_seconds: seconds, result: { code: outcome, note: null } };
    }
    case 'epoch': {
      const stamps = { began: call.started, over: ended, touched: ended ?? moment.at };
      return { ref: call.number, phone, ...stamps, seconds: String(seconds), outcome };
    }
    case 'nested':
      return {
        call: { uid: call.ref, phone },
        timing: { start: showTime(context, call.started), end: ended === null ? null : showTime(context, ended) },
        outcome,
      };
    case 'bare':
      return { phone, seconds, outcome };
    default:
      return {
        id: call.ref,
        direction: call.number % 2 === 0 ? 'inbound' : 'outbound',
        phone,
        startedAt: showTime(context, call.started),
        endedAt: ended === null ? null : showTime(context, ended),
        seconds,
        outcome,
      };
  }
}
