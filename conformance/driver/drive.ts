// Carries the requests of a scenario.
import { isPlatformTrouble } from '../exchange/exchange.ts';
import type { InconclusiveReason } from '../judge/result.ts';
import type { Outcome } from '../judge/verdict.ts';
import type { Scenario, Step } from '../scenarios/scenario.ts';
import { NotOpened, openMcpEndpoint } from './mcp/endpoint.ts';
import { RequestsUp, TargetDown } from './pace/client.ts';
import { TimeUp } from './pace/clock.ts';
import type { Trouble } from './pace/patience.ts';
import { NoResponse, type Sender, Stop } from './sender.ts';

/** Never rejects: trouble ends the scenario, and no error of ours ends the run. */
export async function drive(sender: Sender, scenario: Scenario): Promise<Outcome> {
  sender.taken();
  try {
    const why = await carryAll(sender, scenario);
    return { kind: 'asked', exchanges: sender.taken(), ...(why === undefined ? {} : { why }) };
  } catch (error) {
    return { kind: 'asked', exchanges: sender.taken(), trouble: troubleIn(error) };
  }
}

/** The scenario never sees an error. */
async function carryAll(sender: Sender, scenario: Scenario): Promise<string | undefined> {
  const asks = scenario.ask({ history: sender.history, now: sender.time, isLoopback: sender.settings.isLoopback });
  const steps = {
    ...sender,
    open: ({ key }: Of<'open'>) => openMcpEndpoint(sender, key),
    tool: async ({ key, tool, input, ...how }: Of<'tool'>) =>
      (await openMcpEndpoint(sender, key)).call(sender, tool, { ...input }, how),
  };
  try {
    for (let received: unknown; ; ) {
      const { done, value } = asks.next(received);
      if (done) return value;
      if (value.step === 'write' && scenario.changes === undefined)
        throw new Error(`${scenario.id} writes, and says nothing of its trace`);
      received = await steps[value.step](value as never);
    }
  } finally {
    asks.return(undefined);
  }
}

type Of<Kind extends Step['step']> = Extract<Step, { step: Kind }>;

/** An unknown error is a bug of the scenario, and never the target's failure. */
function troubleIn(error: unknown): NonNullable<Extract<Outcome, { kind: 'asked' }>['trouble']> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Stop) return { doubt: error.reason, message };
  if (error instanceof TimeUp) return { doubt: 'budget', message };
  if (error instanceof TargetDown || error instanceof RequestsUp) return { doubt: reasonOf(error.trouble), message };
  if (error instanceof NotOpened) {
    const isPlatform = error.exchange !== null && isPlatformTrouble(error.exchange);
    return { doubt: isPlatform ? 'platform' : 'precondition', message: `the MCP endpoint did not open: ${message}` };
  }
  if (error instanceof NoResponse) return { crash: message };
  return { crash: `the scenario itself ended with an error: ${message}` };
}

/** Why a scenario was left out once nothing more could be sent. */
function reasonOf(trouble: Trouble | null): InconclusiveReason {
  if (trouble === null) return 'budget';
  return trouble === 'interference' ? 'interference' : 'platform';
}
