// Connect links without leave to write: no body here names a provider or a label, so that no link can come of it.
import { type Check, defineChecks } from '../check.ts';
import { errorCode } from '../exchange.ts';

const broken: Check = {
  id: 'links/broken-body',
  title: 'A body that is no JSON is refused with 400 and makes no link',
  cites: ['4.connect.create-link.body', '4.connect.create-link.invalid', '4.json'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const exchange = await probe.send({
      operation: 'createConnectLink',
      bytes: new TextEncoder().encode('{"provider":'),
    });
    // A payment may be asked for before the body is read (R1).
    if (errorCode(exchange) === 'payment_required') probe.stop('precondition', 'the organization has to pay first');
    probe.expectStatus(exchange, 400, '4.connect.create-link.body');
  },
};

export const links = defineChecks([broken]);
