// Ringing a telephone on demand: a call that starts now, or one that is over and only told of now. Cites 4.calls.*.
import type { Call, NewCall } from './call.ts';
import type { Random } from './random.ts';
import type { Organization } from './world.ts';

export interface CallWish {
  readonly id?: string | undefined;
  readonly direction?: 'inbound' | 'outbound' | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly agent?: string | undefined;
  /** When it starts; now when absent. In the past for a call that is told of late, in the future for a planned one. */
  readonly startedAtMs?: number | undefined;
  /** How long it lasts; one minute when absent. */
  readonly durationMs?: number | undefined;
  /** When the platform tells of it, if that is after its end. */
  readonly reportedAtMs?: number | undefined;
  readonly provisional?: string | undefined;
  readonly outcome?: string | undefined;
}

const lines = ['+15550100', '+15550117', '+15550134', '+15550142', '+15550158'] as const;

/** Adds the call to the organization's log. Everything that the wish leaves out follows from the generator. */
export function ringCall(
  organization: Organization,
  wish: CallWish,
  { random, nowMs }: { random: Random; nowMs: number },
): Call {
  const startedAtMs = wish.startedAtMs ?? nowMs;
  const endedAtMs = startedAtMs + (wish.durationMs ?? 60_000);
  const outcome = wish.outcome ?? 'answered';
  const call: NewCall = {
    id: wish.id ?? random.uuid(),
    direction: wish.direction ?? 'inbound',
    from: wish.from ?? (lines[random.below(lines.length)] as string),
    to: wish.to ?? '+15550199',
    agent: wish.agent ?? 'Front desk',
    startedAtMs,
    endedAtMs,
    reportedAtMs: wish.reportedAtMs !== undefined && wish.reportedAtMs > endedAtMs ? wish.reportedAtMs : null,
    provisional: wish.provisional ?? outcome,
    outcome,
  };
  return organization.calls.add(call, nowMs);
}
