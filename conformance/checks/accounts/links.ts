// Connect links without permission to write: no body here names a provider or a label, so no link can come of it.

import { hasRoom, hasTime, sendInvalid } from '../../assertions/invalid-inputs.ts';
import { errorCode } from '../../exchange/exchange.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { bytesOf, invalidBodies, rareBodies } from '../../scenarios/inputs.ts';

/** limits/body-at-cap sends an invalid link too. */
const [bodiesMin, bodiesWithRoom] = [1, 3];
const bodiesMax = invalidBodies.length + rareBodies.length;

/** Cut off in the middle, so no lenient reader can make an object of it. */
const broken: CheckRow = {
  id: 'links/broken-body',
  title: 'POST /connect/accounts rejects bodies that are not JSON, or not a link',
  cites: ['4.connect.create-link.body', '4.connect.create-link.invalid', '4.json', '4.connect.statuses'],
  cost: {
    requests: bodiesWithRoom,
    optional: bodiesWithRoom - bodiesMin,
    least: bodiesMin,
    confirms: 2 * bodiesWithRoom,
    withTime: { requests: bodiesMax - bodiesWithRoom, confirms: bodiesMax },
  },
  async run(probe) {
    const few = invalidBodies.slice(0, hasRoom(probe) ? bodiesWithRoom : bodiesMin);
    const bodies = hasTime(probe) ? [...invalidBodies, ...rareBodies] : few;
    for (const body of bodies) await expectNoInput(probe, body);
  },
};

async function expectNoInput(probe: Probe, body: string): Promise<void> {
  const exchange = await sendInvalid(probe, { operation: 'createConnectLink', bytes: bytesOf(body) });
  // A payment error can come before the body is read (R1).
  if (errorCode(exchange) === 'payment_required') probe.stop('precondition', 'the organization must pay first');
  probe.expectStatus(exchange, 400, '4.connect.create-link.body');
}

const invalid: CheckRow = {
  id: 'links/odd-bytes',
  title: 'POST endpoints return 400 for invalid UTF-8 and deeply nested JSON',
  cites: ['4.connect.create-link.invalid', '4.connect.create-link.body'],
  needs: ['extended'],
  cost: { requests: 2, least: 1 },
  async run(probe) {
    const deep = '['.repeat(depth) + ']'.repeat(depth);
    const bodies = [Uint8Array.from([...utf8('{"pad":"'), 0xff, 0xfe, ...utf8('"}')]), utf8(`{"pad":${deep}}`)];
    for (const bytes of bodies) {
      const exchange = await probe.send({ operation: 'createConnectLink', bytes });
      if (errorCode(exchange) === 'payment_required') probe.stop('precondition', 'the organization must pay first');
      probe.expectStatus(exchange, 400, '4.connect.create-link.invalid');
    }
  },
};

const depth = 1000;

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export const links = defineChecks({ phase: 'rejections' }, [broken, invalid]);
