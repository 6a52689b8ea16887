// Connect links without permission to write: no body here names a provider or a label, so no link can come of it.

import {
  bytesOf,
  hasTime,
  invalidBodies,
  rareBodies,
  sample,
  sendInvalid,
  turnOf,
} from '../../assertions/invalid-inputs.ts';
import { expectRejected } from '../../assertions/writes.ts';
import { errorCode } from '../../exchange/exchange.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const bodiesMax = invalidBodies.length + rareBodies.length;

/** Cut off in the middle, so no lenient reader can make an object of it. */
const broken: CheckRow = {
  id: 'links/broken-body',
  title: 'POST endpoints reject bodies that are not JSON objects',
  cites: ['4.connect.create-link.body', '4.connect.create-link.invalid', '4.json', '4.connect.statuses'],
  cost: {
    requests: 1,
    least: 1,
    confirms: 2,
    withTime: { requests: bodiesMax - 1, confirms: bodiesMax },
  },
  async run(probe) {
    // A link in every second audit; a post and a reply to an unknown account alternately.
    const turn = hasTime(probe) ? 0 : turnOf(probe.settings.seed, 4);
    for (const body of sample(probe, invalidBodies, rareBodies)) {
      if (turn % 2 === 0) await expectNoInput(probe, body);
      else await expectNoText(probe, turn === 1 ? 'createPost' : 'replyToReview', body);
    }
  },
};

async function expectNoInput(probe: Probe, body: string): Promise<void> {
  const exchange = await sendInvalid(probe, { operation: 'createConnectLink', bytes: bytesOf(body) });
  // A payment error can come before the body is read (R1).
  if (errorCode(exchange) === 'payment_required') probe.stop('precondition', 'the organization must pay first');
  probe.expectStatus(exchange, 400, '4.connect.create-link.body');
}

async function expectNoText(probe: Probe, operation: 'createPost' | 'replyToReview', body: string): Promise<void> {
  const params = { accountId: probe.facts.unknownId, reviewId: 'casa-conformance-no-such-review' };
  expectRejected(probe, await sendInvalid(probe, { operation, params, bytes: bytesOf(body) }));
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
