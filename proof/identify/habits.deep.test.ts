import { expect, it } from 'vitest';
import { deployments, habitsOf, startDeployment } from './habits.ts';
import { learn } from './identify.ts';

it.each(Object.entries(deployments))(
  'a calibrated mock has the habits of a deployment whose habits depend on the place: %s',
  async (_name, deployment) => {
    const target = await startDeployment(deployment);
    const { account } = target.options;
    const writes = ['replies', 'posts', 'links'] as const;
    const { profile } = await learn(target, { allowWrites: writes, minutes: 10, ...(account && { account }) });
    await target.close();
    const { details, differing } = await habitsOf(deployment, profile);
    expect(details).toBeGreaterThan(40);
    expect(differing.length / details, differing.join('\n')).toBeLessThanOrEqual(0.03);
  },
  60_000,
);
