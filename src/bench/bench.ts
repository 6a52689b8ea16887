// `npm run bench`: our mock beside node:http, Fastify and Prism, in one run on one machine. Prints Markdown.
// Flags: --quick (shorter rounds), --million (a million requests, to see whether memory stays flat).
import { cpus, loadavg } from 'node:os';
import { measureFootprint, measureMillion, measurePackage } from './footprint.ts';
import { measureHuge } from './huge-world.ts';
import type { LoadResult } from './load.ts';
import { type Contender, type RoundOptions, runRounds } from './rounds.ts';
import { canPin, type ServerProcess, startServer } from './server-process.ts';
import { number, table, verdict } from './table.ts';
import * as targets from './targets.ts';

const isQuick = process.argv.includes('--quick');
const print = (text: string) => void process.stdout.write(`${text}\n`);

interface Case {
  readonly title: string;
  readonly requests: (base: string, facts: targets.Facts) => string[];
  readonly connections: number;
  readonly ratioMin: number;
}

const get: Case['requests'] = (base, { key }) => [targets.getRequest(`${base}/articles?limit=20`, key)];
const post: Case['requests'] = (base, facts) => [targets.postRequest(base, facts)];
const cases: readonly Case[] = [
  { title: 'GET /articles?limit=20, 50 connections', requests: get, connections: 50, ratioMin: 0.6 },
  { title: 'GET /articles?limit=20, 1 connection', requests: get, connections: 1, ratioMin: 0.6 },
  { title: 'POST .../posts, 50 connections', requests: post, connections: 50, ratioMin: 0.5 },
  { title: 'POST .../posts, 1 connection', requests: post, connections: 1, ratioMin: 0.5 },
];

const columns = ['server', 'requests/s', 'ratio', 'by CPU time', 'p50 ms', 'p99 ms', 'CPU µs/request', 'bytes'];

/** Prism leaves out the path of the base URL. */
const baseOf = ({ name }: ServerProcess) => (name === 'Prism' ? '' : '/api/v1');

function compare(each: Case, servers: readonly ServerProcess[], facts: targets.Facts): void {
  const contenders: Contender[] = servers.map((server) => ({
    server,
    requestsFile: targets.requestsFile(`${each.title} ${server.name}`, each.requests(baseOf(server), facts)),
  }));
  const length: RoundOptions = {
    connections: each.connections,
    ms: isQuick ? 500 : 1_000,
    repetitions: isQuick ? 5 : 11,
  };
  const results = runRounds(contenders, length);
  const yardstick = results.get('node:http') as LoadResult;
  const rows = [...results].map(([name, result]) => [
    name,
    number(result.perSecond),
    ...ratios(result, yardstick).map((ratio) => number(ratio, 2)),
    number(result.p50Ms, 2),
    number(result.p99Ms, 2),
    number(result.serverUs, 1),
    number(result.bytes),
  ]);
  print(`### ${each.title}\n\n${table(columns, rows)}`);
  const own = results.get('casa-kit') as LoadResult;
  print(judge(ratios(own, yardstick), each.ratioMin, 'of node:http'));
  const ofPrism = results.get('Prism');
  // With one connection all servers wait for the client most of the time.
  if (ofPrism && each.requests === get && each.connections > 1) print(judge(ratios(own, ofPrism), 10, 'times Prism'));
  print('');
}

type Ratios = readonly [byRequests: number, byProcessorTime: number];

/** A saturated server gives both alike. Other work on the machine takes requests away, but hardly adds processor time. */
function ratios(own: LoadResult, other: LoadResult): Ratios {
  return [own.perSecond / other.perSecond, other.serverUs / own.serverUs];
}

function judge([byRequests, byTime]: Ratios, least: number, what: string): string {
  const found = `${number(byRequests, 2)} by requests, ${number(byTime, 2)} by CPU time`;
  return verdict(Math.max(byRequests, byTime) >= least, `at least ${least} ${what} (${found})`);
}

print(
  `## Bench\n\n${cpus()[0]?.model}, ${cpus().length} processors, node ${process.version}, ours from ${targets.source}.`,
);
const pinning = canPin ? 'pinned to one processor, the load to another' : 'not pinned';
print(`Servers ${pinning}; medians of alternated rounds. Load before: ${number(loadavg()[0] ?? 0, 1)}.\n`);
const own = await targets.startRaised(targets.ours());
const running = [own];
try {
  const facts = await targets.gatherFacts(own);
  for (const options of [targets.bare(facts), targets.fastify(facts), targets.prism(facts)]) {
    if (options) running.push(await startServer(options));
  }
  for (const each of cases) compare(each, running, facts);
  print(await measureHuge(own, facts, isQuick));
  print(await measureFootprint(facts, isQuick));
} finally {
  await Promise.all(running.map((server) => server.stop()));
}
if (process.argv.includes('--million')) print(await measureMillion());
print(measurePackage());
