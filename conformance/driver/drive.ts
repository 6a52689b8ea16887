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
  const asks = scenario.ask({ ...sender, isLoopback: sender.settings.isLoopback });
  try {
    for (let received: unknown; ; ) {
      const { done, value } = asks.next(received);
      if (done) return value;
      received = await carry(sender, value, scenario);
    }
  } finally {
    asks.return(undefined);
  }
}

function carry(sender: Sender, step: Step, { id, changes }: Scenario): Promise<unknown> | unknown {
  switch (step.step) {
    case 'get':
      return sender.get(step.operation, step.params, step.key);
    case 'send':
      return sender.send(step.spec);
    case 'raw':
      return sender.sendRaw(step.spec);
    case 'now':
      return sender.sendNow(step.spec);
    case 'write':
      if (changes === undefined) throw new Error(`${id} writes, and says nothing of its trace`);
      return sender.write(step.spec);
    case 'burst':
      return sender.burst(step.specs, step.quiet);
    case 'hurry':
      return sender.hurry(step.requests);
    case 'wait':
      return sender.sleep(step.ms);
    case 'turn':
      return sender.turn();
    case 'announce':
      return sender.announce(step.text);
    case 'open':
      return openMcpEndpoint(sender, step.key);
    case 'tool':
      return callTool(sender, step);
  }
}

async function callTool(sender: Sender, { key, tool, input, ...how }: Extract<Step, { step: 'tool' }>) {
  const endpoint = await openMcpEndpoint(sender, key);
  return endpoint.call(sender, tool, { ...input }, how);
}

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
