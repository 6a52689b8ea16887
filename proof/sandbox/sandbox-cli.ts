// `npm run sandbox`: three replicas and a Redis of its own, behind a proxy, under load while they are killed; then the
// kit audits them, and three mocks that share nothing; then what sharing costs. Prints one table; exit code 1 when
// anything is not as it should be. `-- --part storm|audit|speed` does one part, `--requests N` so many for the memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasCommand } from '../networks/own-process.ts';
import { setup } from '../rigs/bundled-command.ts';
import { bundledCommand } from '../rigs/command.ts';
import { googleAccount } from '../rigs/engine.ts';
import { type AuditResult, audit } from './audits.ts';
import { disturb, disturbances } from './chaos.ts';
import { RedisServer } from './redis-server.ts';
import { startProxy, startReplicas } from './replicas.ts';
import { measureGrowth, measureSpeed } from './speed.ts';

const parts = ['storm', 'audit', 'speed'] as const;
const { values } = parseArgs({
  options: { part: { type: 'string', multiple: true }, requests: { type: 'string', default: '200000' } },
});
const wanted = new Set(values.part ?? parts);
const say = (text: string) => process.stdout.write(`${text}\n`);
const folders: string[] = [];
const folder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'casa-sandbox-')));
  return folders.at(-1) as string;
};
let failures = 0;
const judge = (isRight: boolean) => {
  if (!isRight) failures += 1;
  return isRight ? 'ok   ' : 'WRONG';
};

const packages = { 'redis-server': 'redis-server', haproxy: 'haproxy' };
const missing = Object.entries(packages).filter(([command]) => !hasCommand(command));
if (missing.length > 0) {
  const names = missing.map(([, name]) => name).join(' ');
  process.stderr.write(`npm run sandbox needs ${names}: apt-get install -y ${names} (Debian and Ubuntu).\n`);
  process.exit(2);
}
await setup();
try {
  if (wanted.has('storm')) await storms();
  if (wanted.has('audit')) await audits();
  if (wanted.has('speed')) await speed();
} finally {
  for (const name of folders) rmSync(name, { recursive: true, force: true });
}
say(failures === 0 ? 'Everything is as it should be.' : `${failures} things are not as they should be.`);
process.exit(failures === 0 ? 0 : 1);

async function storms(): Promise<void> {
  const redis = await RedisServer.start(folder(), 'always');
  const args = ['--no-limits', '--shared', redis.url('storm')];
  const replicas = await startReplicas(3, { command: bundledCommand, args });
  const proxy = await startProxy(
    folder(),
    replicas.map(({ port }) => port),
  );
  say('Three replicas behind HAProxy, AOF always, 8 clients that write and read');
  for (const name of Object.keys(disturbances)) {
    const { failure, ...found } = await disturb({ redis, replicas, proxyPort: proxy.port }, name);
    const { answered, refused, unknown, registerOperations, posts } = found;
    say(
      `  ${judge(failure === null)} ${name}: ${answered} answered, ${refused} refused, ${unknown} unknown; ` +
        `${registerOperations} operations linearizable, ${posts} acknowledged posts there, once${failure === null ? '' : ` - ${failure}`}`,
    );
  }
  const copies = await Promise.all(replicas.map(({ port }) => duplicatesAt(port)));
  say(`        copies of appends that were dropped: ${Math.max(...copies)}`);
  for (const replica of replicas) await replica.end('SIGTERM');
  await proxy.stop();
  await redis.stop();
}

async function duplicatesAt(port: number): Promise<number> {
  const health = await (await fetch(`http://127.0.0.1:${port}/__admin/health`)).json();
  return (health as { shared: { duplicates: number } }).shared.duplicates;
}

/** Both at once: they mostly wait. */
async function audits(): Promise<void> {
  const redis = await RedisServer.start(folder(), 'everysec');
  const shared = await startReplicas(3, { command: bundledCommand, args: ['--shared', redis.url('audit')] });
  const alone = await startReplicas(3, { command: bundledCommand, args: [] });
  const kit = join(dirname(bundledCommand), 'conformance-cli.js');
  const writes = ['--allow-writes', '--account', googleAccount];
  say('The kit through the proxy, writes allowed (about nine minutes)');
  const proxies = [];
  for (const replicas of [shared, alone]) {
    proxies.push(
      await startProxy(
        folder(),
        replicas.map(({ port }) => port),
      ),
    );
  }
  const [good, bad] = (await Promise.all(proxies.map(({ port }) => audit(kit, port, writes)))) as [
    AuditResult,
    AuditResult,
  ];
  say(`  ${judge(good.exitCode === 0 && good.failed.length === 0)} three replicas, --shared: ${describe(good)}`);
  say(`  ${judge(bad.exitCode === 1 && bad.failed.length > 0)} three mocks, each alone: ${describe(bad)}`);
  for (const { id, title } of bad.failed) say(`          fails ${id}: ${title}`);
  for (const { id, title } of good.failed) say(`          ALARM ${id}: ${title}`);
  for (const replica of [...shared, ...alone]) await replica.end('SIGTERM');
  for (const proxy of proxies) await proxy.stop();
  await redis.stop();
}

function describe({ exitCode, seconds, passed, failed }: AuditResult): string {
  return `exit ${exitCode}, ${passed} passed, ${failed.length} failed, ${Math.round(seconds)} s`;
}

function signed(ms: number): string {
  return `${ms < 0 ? '' : '+'}${ms.toFixed(2)}`;
}

async function speed(): Promise<void> {
  const options = { command: bundledCommand, folder, ms: 1_500 };
  say('What it costs: reads on keep-alive connections, medians of three rounds, everything on this machine');
  const rows = await measureSpeed(options);
  const [alone] = rows;
  for (const { name, single, many } of rows) {
    const added = (part: 'p50Ms' | 'p99Ms') => signed(single[part] - (alone?.single[part] ?? Number.NaN));
    const ratio = many.perSecond / (alone?.many.perSecond ?? Number.NaN);
    say(
      `  ${name.padEnd(25)} 1 connection: p50 ${single.p50Ms.toFixed(2)} ms (${added('p50Ms')}), ` +
        `p99 ${single.p99Ms.toFixed(2)} ms (${added('p99Ms')}); 60: ${Math.round(many.perSecond)}/s (${ratio.toFixed(2)})`,
    );
  }
  const growth = await measureGrowth(options, Number(values.requests));
  const { requests, redisMb, redisPeakMb, freshMs, catchUpMs } = growth;
  say(`  after ${requests} requests Redis holds ${redisMb.toFixed(0)} MB (peak ${redisPeakMb.toFixed(0)} MB)`);
  say(
    `  a replica that missed them is ready after ${Math.round(catchUpMs)} ms; a fresh one after ${Math.round(freshMs)} ms`,
  );
}
