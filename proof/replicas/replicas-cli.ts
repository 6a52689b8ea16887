// `npm run replicas`: replicas over a simulated log from seeds; as processes that are killed under load; and restarted
// after many requests. Exit code 1 when a law was broken. `-- --part simulate|storm|restart` does one part, `--seed N
// --seeds K --hours H` and `--requests N` size it.
import { parseArgs } from 'node:util';
import { setup } from '../test-kit/bundled-command.ts';
import { hasCommand } from '../test-kit/own-process.ts';
import { endAll } from './processes.ts';
import { measureRestart } from './restart.ts';
import { simulate } from './simulate.ts';
import { disturbances, startSite, storm } from './storm.ts';

const { values } = parseArgs({
  options: {
    part: { type: 'string', multiple: true, default: ['simulate', 'storm', 'restart'] },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '20' },
    hours: { type: 'string', default: '100' },
    requests: { type: 'string', default: '60000' },
  },
});
let failures = 0;
const report = async (name: string, act: () => Promise<object>): Promise<void> => {
  const fail = (error: Error) => {
    failures += 1;
    return `WRONG ${name}: ${error.message}`;
  };
  const line = await act().then((found) => `ok    ${name}: ${JSON.stringify(found)}`, fail);
  process.stdout.write(`${line}\n`);
};

const parts: Readonly<Record<string, () => Promise<void>>> = { simulate: simulations, storm: storms, restart };
const missing = ['redis-server', 'haproxy'].filter((command) => !hasCommand(command));
if (missing.length > 0 && values.part.join() !== 'simulate') {
  process.stderr.write(`npm run replicas needs Debian packages: apt-get install -y ${missing.join(' ')}\n`);
  process.exit(2);
}
await setup();
try {
  for (const part of values.part) await parts[part]?.();
} finally {
  await endAll();
}
process.exit(failures === 0 ? 0 : 1);

async function simulations(): Promise<void> {
  const [first, hours] = [Number(values.seed), Number(values.hours)];
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    await report(`seed ${seed}, ${hours} hours`, () => simulate({ seed, hours }));
  }
}

async function storms(): Promise<void> {
  const site = await startSite();
  for (const name of Object.keys(disturbances)) await report(name, () => storm(site, name));
}

async function restart(): Promise<void> {
  const requests = Number(values.requests);
  await report(`restart after ${requests} requests`, () => measureRestart(requests));
}
