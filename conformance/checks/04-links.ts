// Connect links without leave to write: the body names neither provider nor label, so that no link can come of it.
import { type Check, defineChecks } from '../check.ts';

const emptyBody: Check = {
  id: 'links/empty-body',
  title: 'A connect link without provider and label is refused',
  cites: ['4.connect.create-link.invalid', '2.connect-account-input.provider', '2.connect-account-input.label'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const exchange = await probe.send({ operation: 'createConnectLink', body: {} });
    const clause = '4.connect.create-link.invalid';
    // A payment may be asked for before the body is read (R1).
    probe.expectRefusal(exchange, { status: 400, code: 'invalid_input', clause, shadows: ['payment_required'] });
  },
};

export const links = defineChecks([emptyBody]);
