// Calls, from ringing until a poll returns them.

import { countdown, type Phase, phases, placeOf } from './call-way.ts';
import { Act, Card, Choice, countOf, Empty, RequestLink, timeOf } from './parts.tsx';
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
      <div class="toolbar">
        {organizations.length > 1 && (
          <Choice
            label="Organization"
            bare
            value={organizationId ?? ''}
            options={organizations.map(({ id, name }) => [id, name] as const)}
            choose={choose}
          />
        )}
        <span class="grow" />
        <Act label="+6 min: advance the clock" does={() => app.ask('POST', '/clock/advance', { duration: '6m' })}>
          +6 min
        </Act>
      </div>
      <Ring organizationId={organizationId} />
      <p class="soft">
        A call appears in the call log {Math.round((health?.settleS ?? 300) / 6) / 10} minutes after its end, on the
        clock of the mock. Polls with <code>since</code> return it once.
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
  const ring = (event: SubmitEvent) => {
    event.preventDefault();
    const form = Object.fromEntries(
      [...new FormData(event.currentTarget as HTMLFormElement)].filter(([, v]) => v !== ''),
    );
    app.act(async () => {
      const { durationS, ...texts } = form;
      const body = { ...texts, ...(durationS ? { durationS: Number(durationS) } : {}) };
      const response = await app.ask<{ call: CallWay }>('POST', '/calls', { organizationId, ...body });
      app.tell(`Started the call ${response.call.id}.`);
    });
  };
  return (
    <Card title="Simulate a call">
      <form class="grid" onSubmit={ring}>
        <label>
          <span>From</span>
          <input name="from" placeholder="+15550100" maxLength={50} />
        </label>
        <label>
          <span>Duration in seconds</span>
          <input name="durationS" type="number" min="0" max="86400" placeholder="60" />
        </label>
        <label>
          <span>Outcome</span>
          <input name="outcome" placeholder="answered" maxLength={50} />
        </label>
        <button type="submit" class="primary" id="ring">
          Start call
        </button>
      </form>
    </Card>
  );
}

const meanings: Readonly<Record<Phase, string>> = {
  ringing: 'ends in',
  settling: 'visible in',
  visible: 'waits for the next poll',
  delivered: 'returned by',
};

function Call({ call, now, organizationId }: { call: CallWay; now: number; organizationId: string | undefined }) {
  const app = useApp();
  const place = placeOf(call, now);
  const reached = phases.indexOf(place.phase);
  const end = () => app.ask('POST', `/calls/${encodeURIComponent(call.id)}/end`, { organizationId });
  return (
    <li class="call">
      <div class="spread">
        <span>
          <strong class="mono">{call.from}</strong> → <span class="mono">{call.to}</span>{' '}
          <span class="soft">
            {call.direction}, {call.agent}, started {timeOf(call.startedAt)}
            {call.outcome !== null && `, ${call.outcome}`}
          </span>
        </span>
        {place.phase === 'ringing' && <Act does={end}>End now</Act>}
      </div>
      <ol class="way">
        {phases.map((phase, i) => (
          <li
            key={phase}
            class={i < reached ? 'past' : i === reached ? 'present' : ''}
            aria-current={i === reached ? 'step' : undefined}
          >
            <span class="phase">{phase}</span>
            {i === reached && (
              <span class="left">
                {meanings[phase]} {place.leftMs !== null && <span class="mono">{countdown(place.leftMs)}</span>}
                {phase === 'delivered' && call.deliveredBy !== null && <RequestLink id={call.deliveredBy} />}
              </span>
            )}
            {i === reached && place.leftMs !== null && (
              <progress max={1} value={place.share} aria-label={`${phase}, ${meanings[phase]}`} />
            )}
          </li>
        ))}
      </ol>
    </li>
  );
}
