// Calls, from ringing until a poll returns them.

import type { ComponentChildren } from 'preact';
import { Act, Card, Choice, countOf, Empty, Field, type Fields, Form, RequestLink, timeOf } from './parts.tsx';
import type { CallWay } from './responses.ts';
import { useApp, useAppState, useNow } from './use-app.ts';

const shownMax = 50;

export function CallsPage() {
  const app = useApp();
  const { calls, organizations, callsOf, health } = useAppState();
  const now = useNow();
  const organizationId = callsOf ?? organizations[0]?.id;
  const choose = async (id: string) => {
    app.set({ callsOf: id });
    await app.loadCalls();
  };
  return (
    <>
      {organizations.length > 1 && (
        <div class="toolbar">
          <Choice
            label="Organization"
            bare
            value={organizationId ?? ''}
            options={organizations.map(({ id, name }) => [id, name] as const)}
            choose={choose}
          />
        </div>
      )}
      <Ring organizationId={organizationId} />
      <p class="soft">
        A call appears in the call log {Math.round((health?.settleS ?? 300) / 6) / 10} minutes after its end, on the
        clock of the mock. Polls with <code>since</code> return it once. Clients poll once a minute of real time.
      </p>
      {calls.length === 0 ? (
        <Empty>No calls yet. Start one above.</Empty>
      ) : (
        <ul class="calls" id="calls">
          {calls.slice(0, shownMax).map((call) => (
            <Call key={call.id} call={call} now={now} organizationId={organizationId} />
          ))}
        </ul>
      )}
      {calls.length > shownMax && <p class="soft">{countOf(calls.length - shownMax, 'older call')} hidden.</p>}
    </>
  );
}

export function Ring({ organizationId }: { organizationId: string | undefined }) {
  const app = useApp();
  const ring = async ({ durationS, ...texts }: Fields) => {
    const body = { ...texts, ...(durationS ? { durationS: Number(durationS) } : {}) };
    const response = await app.ask<{ call: CallWay }>('POST', '/calls', { organizationId, ...body });
    app.tell(`Started the call ${response.call.id}.`);
  };
  return (
    <Card title="Simulate a call">
      <Form submit={ring} send="Start call" sendId="ring">
        <Field label="From" name="from" placeholder="+15550100" maxLength={50} />
        <Field label="Duration in seconds" name="durationS" type="number" min="0" max="86400" placeholder="60" />
        <Field label="Outcome" name="outcome" placeholder="answered" maxLength={50} />
      </Form>
    </Card>
  );
}

function Call({ call, now, organizationId }: { call: CallWay; now: number; organizationId: string | undefined }) {
  const app = useApp();
  const { phase, leftMs } = callStatusOf(call, now);
  const reached = phases.indexOf(phase);
  const end = () => app.ask('POST', `/calls/${encodeURIComponent(call.id)}/end`, { organizationId });
  const showNow = async () => {
    if (phase === 'in progress') await end();
    // The clock of the mock runs on while the call is ended.
    await app.loadCalls();
    const { visibleAt } = app.state.calls.find(({ id }) => id === call.id) ?? call;
    const leftS = Math.ceil((Date.parse(visibleAt) - app.now()) / 1000);
    await app.ask('POST', '/clock/advance', { duration: `${Math.max(0, leftS)}s` });
  };
  const times: readonly ComponentChildren[] = [
    timeOf(call.startedAt),
    timeOf(call.endsAt),
    timeOf(call.visibleAt),
    call.deliveredBy === null ? '' : <RequestLink id={call.deliveredBy} />,
  ];
  return (
    <li class="call">
      <div class="spread">
        <span>
          <strong class="mono">{call.from}</strong> → <span class="mono">{call.to}</span>{' '}
          <span class="soft">
            {call.direction}, {call.agent}
            {call.outcome !== null && `, ${call.outcome}`}
          </span>
        </span>
        <span class="row">
          {phase === 'in progress' && <Act does={end}>End now</Act>}
          {leftMs !== null && (
            <Act label="Make visible now: advance the clock until polls return this call" does={showNow}>
              Make visible now
            </Act>
          )}
        </span>
      </div>
      <ol class="way">
        {marks.map((mark, i) => (
          <li
            key={mark}
            class={i <= reached ? 'past' : i === reached + 1 ? 'present' : ''}
            aria-current={i === reached ? 'step' : undefined}
          >
            <span class="phase">{mark}</span>
            <span class="mono">
              {times[i]}
              {i === reached + 1 && (leftMs === null ? 'waits for a poll' : `, in ${countdown(leftMs)}`)}
            </span>
          </li>
        ))}
      </ol>
    </li>
  );
}

const marks = ['started', 'ended', 'visible', 'returned'];

// Where a call is on its way to pollers, at a time of the mock's clock.

/** `visible` is the call that a poller could have, `delivered` one that some poller has. */
type Phase = 'in progress' | 'settling' | 'visible' | 'delivered';

const phases: readonly Phase[] = ['in progress', 'settling', 'visible', 'delivered'];

interface CallStatus {
  readonly phase: Phase;
  /** Until the next phase, which comes by itself; null where a poller has to come. */
  readonly leftMs: number | null;
}

/** By the mock's clock alone, so a frozen clock stops the way as well. */
export function callStatusOf(call: CallWay, nowMs: number): CallStatus {
  const endMs = Date.parse(call.endsAt);
  const visibleMs = Date.parse(call.visibleAt);
  if (nowMs < endMs) return { phase: 'in progress', leftMs: endMs - nowMs };
  if (nowMs < visibleMs) return { phase: 'settling', leftMs: visibleMs - nowMs };
  return { phase: call.deliveredAt === null ? 'visible' : 'delivered', leftMs: null };
}

/** `4:07`, and `2:00:00` from an hour on. */
export function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
