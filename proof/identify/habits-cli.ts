// `npm run habits`: how many details of each deployment its calibrated mock shares.
import { deployments, habitsOf, startDeployment } from './habits.ts';
import { calibrated } from './identify.ts';

const writes = process.argv.includes('--writes');
for (const [name, deployment] of Object.entries(deployments)) {
  const target = await startDeployment(deployment);
  const more = writes
    ? { allowWrites: ['replies', 'posts', 'links'] as const, account: target.options.account, minutes: 10 }
    : { minutes: 1 };
  const { profile } = await calibrated(target, more as never);
  const { details, differing } = await habitsOf(deployment, profile);
  console.log(`${name}: ${details - differing.length} of ${details}`);
  for (const each of differing) console.log(`  ${each}`);
}
