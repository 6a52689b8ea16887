// Connect links without permission to write: no body here names a provider or a label, so that no link can come of it.

import { errorCode } from '../exchange/exchange.ts';
import { type Check, defineChecks } from '../probe/check.ts';
import type { Probe } from '../probe/probe.ts';
import { drawn, linkBodies, others, sendOdd } from './odd-inputs.ts';
import { thorough } from './thorough.ts';

/** Cut off in the middle, so that no lenient reader can make an object of it. */
const broken: Check = {
  id: 'links/broken-body',
  title: 'A body that is not JSON, or nothing that an input could be, is refused with 400 and makes no link',
  cites: ['4.connect.create-link.body', '4.connect.create-link.invalid', '4.json'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 1, least: 1, confirms: 2 },
  async run(probe) {
    await expectNoInput(probe, drawn(probe, linkBodies));
  },
};

const otherBodies: Check = {
  id: 'links/odd-bodies',
  title: 'No odd body makes a link, and none breaks the server',
  cites: ['4.connect.create-link.body', '4.connect.create-link.invalid', '4.json'],
  level: 'must',
  phase: 'refusals',
  needs: thorough,
  cost: { requests: linkBodies.length - 1, least: 1, confirms: linkBodies.length },
  async run(probe) {
    for (const body of others(probe, linkBodies)) await expectNoInput(probe, body);
  },
};

async function expectNoInput(probe: Probe, body: string): Promise<void> {
  const exchange = await sendOdd(probe, { operation: 'createConnectLink', bytes: utf8(body) });
  // A payment may be asked for before the body is read (R1).
  if (errorCode(exchange) === 'payment_required') probe.stop('precondition', 'the organization has to pay first');
  probe.expectStatus(exchange, 400, '4.connect.create-link.body');
}

const odd: Check = {
  id: 'links/odd-bytes',
  title: 'Bytes that are not UTF-8, and a thousand nested lists, are refused with 400',
  cites: ['4.connect.create-link.invalid', '4.connect.create-link.body'],
  level: 'must',
  phase: 'refusals',
  needs: thorough,
  cost: { requests: 2, least: 1 },
  async run(probe) {
    const deep = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
    const bodies = [Uint8Array.from([...utf8('{"pad":"'), 0xff, 0xfe, ...utf8('"}')]), utf8(`{"pad":${deep}}`)];
    for (const bytes of bodies) {
      const exchange = await probe.send({ operation: 'createConnectLink', bytes });
      if (errorCode(exchange) === 'payment_required') probe.stop('precondition', 'the organization has to pay first');
      probe.expectStatus(exchange, 400, '4.connect.create-link.invalid');
    }
  },
};

const DEPTH = 1000;

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export const links = defineChecks([broken, otherBodies, odd]);
