// Connect links without leave to write: no body here names a provider or a label, so that no link can come of it.
import { type Check, defineChecks } from '../check.ts';
import { errorCode } from '../exchange.ts';

const unusable: Check = {
  id: 'links/unusable-body',
  title: 'A body without provider and label, or that is no JSON, is refused with 400 and makes no link',
  cites: [
    '4.connect.create-link.invalid',
    '4.connect.create-link.body',
    '2.connect-account-input.provider',
    '2.connect-account-input.label',
  ],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 2, least: 2 },
  async run(probe) {
    const clause = '4.connect.create-link.invalid';
    // A payment may be asked for before the body is read (R1).
    const shadows = ['payment_required'] as const;
    const empty = await probe.send({ operation: 'createConnectLink', body: {} });
    probe.expectRefusal(empty, { status: 400, code: 'invalid_input', clause, shadows });
    const broken = await probe.send({
      operation: 'createConnectLink',
      bytes: new TextEncoder().encode('{"provider":'),
    });
    if (errorCode(broken) === 'payment_required') return;
    probe.expectStatus(broken, 400, '4.connect.create-link.body');
  },
};

export const links = defineChecks([unusable]);
