// Runs the suite against a separate mock with the same world and defect, on a clock that moves instead of waiting.
import { checks } from '../../conformance/checks/index.ts';
import { newRunId, runConformance } from '../../conformance/driver/audit.ts';
import { conclude } from '../../conformance/report/outcome.ts';
import { html } from '../../conformance/reporters/html.ts';
import { prepareEngine } from '../../src/engine/prepare-engine.ts';
import { basePath } from '../../src/http/route.ts';
import type { WorldName } from '../../src/worlds/load.ts';
import type { PlaygroundState } from './state.ts';
import { connectWire } from './wire.ts';

/** Returns the HTML report. `progress` gets the number of requests so far. */
export async function testMock(
  { world, mutant }: PlaygroundState,
  progress: (requests: number) => void,
): Promise<string> {
  const { engine } = await prepareEngine({ world: world as WorldName | undefined, mutant, limits: true });
  connectWire(engine);
  const keys = [...engine.world.keys].map(([key, { organization, revoked }]) => ({ key, organization, revoked }));
  const { organization: first, key: good = '' } = keys.find(({ revoked }) => !revoked) ?? {};
  const second = keys.find(({ organization, revoked }) => !revoked && organization !== first)?.key;
  const revoked = keys.find((one) => one.revoked)?.key;
  let requests = 0;
  const report = await runConformance({
    baseUrl: `${location.origin}${basePath}`,
    runId: newRunId(),
    keys: { good, ...(second ? { second } : {}), ...(revoked ? { revoked } : {}) },
    clock: {
      now: () => engine.clock.now(),
      sleep: async (ms) => engine.clock.advance(Math.max(0, Math.ceil(ms))),
    },
    checks,
    onEvent: ({ kind }) => {
      if (kind !== 'exchange') return;
      requests += 1;
      progress(requests);
    },
  });
  return html.render(report, conclude(report));
}
