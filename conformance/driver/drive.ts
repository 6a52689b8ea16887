// Carries the requests of a scenario, once per run.
import { oncePer } from '../exchange/once.ts';
import { openMcpEndpoint } from '../mcp/endpoint.ts';
import type { Probe, RunSettings } from '../probe/probe.ts';
import { NoResponse, Stop } from '../probe/stop.ts';
import type { Scenario, SoFar, Step } from '../scenarios/scenario.ts';

/** What a scenario has sent, and why it ended early or asked nothing. */
export interface Driven {
  /** The ids of its exchanges, shared reads left out. */
  readonly exchanges: readonly string[];
  readonly error: unknown;
}

const drivenOf = oncePer((_settings: RunSettings) => new Map<string, Driven>());

/** Later checks of the same scenario read what the first one has sent. */
export async function drive(probe: Probe, scenario: Scenario): Promise<Driven> {
  const all = drivenOf(probe.settings);
  const known = all.get(scenario.id);
  if (known !== undefined) {
    probe.looksAt(known.exchanges);
    // Silence is the error of the check that met it first.
    return known.error instanceof NoResponse
      ? { ...known, error: new Stop('precondition', known.error.message) }
      : known;
  }
  const before = new Set(probe.soFar().exchanges.map(({ id }) => id));
  const error = await carryAll(probe, scenario).then(
    (why) => (why === undefined ? null : new Stop('precondition', why)),
    (thrown: unknown) => thrown,
  );
  const exchanges = probe.soFar().exchanges.flatMap(({ id }) => (before.has(id) ? [] : [id]));
  const driven = { exchanges, error };
  all.set(scenario.id, driven);
  return driven;
}

/** Trouble ends the scenario; it never sees an error. */
async function carryAll(probe: Probe, scenario: Scenario): Promise<string | undefined> {
  const run: SoFar = { history: probe.soFar, now: probe.now, isLoopback: probe.settings.isLoopback };
  const asks = scenario.ask(run);
  try {
    for (let received: unknown; ; ) {
      const { done, value } = asks.next(received);
      if (done) return value;
      received = await carry(probe, value);
    }
  } finally {
    asks.return(undefined);
  }
}

function carry(probe: Probe, step: Step): Promise<unknown> | unknown {
  switch (step.step) {
    case 'get':
      return probe.get(step.operation, step.params, step.key);
    case 'send':
      return probe.send(step.spec);
    case 'raw':
      return probe.sendRaw(step.spec);
    case 'now':
      return probe.sendNow(step.spec);
    case 'write':
      return probe.write(step.spec);
    case 'burst':
      return probe.burst(step.specs, step.quiet);
    case 'hurry':
      return probe.hurry(step.requests);
    case 'wait':
      return probe.sleep(step.ms);
    case 'turn':
      return probe.turn();
    case 'announce':
      return probe.announce(step.text);
    case 'open':
      return openMcpEndpoint(probe, step.key);
    case 'tool':
      return callTool(probe, step);
  }
}

async function callTool(probe: Probe, { key, tool, input, isWrite }: Extract<Step, { step: 'tool' }>) {
  const endpoint = await openMcpEndpoint(probe, key);
  return endpoint.call(probe, tool, { ...input }, isWrite ? 'writes' : 'none');
}
