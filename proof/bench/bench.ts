// `npm run bench`: our mock beside node:http, Fastify and other mock servers, in one run on one machine. Prints
// Markdown. Flags: --quick (shorter rounds), --million (a million requests, to see whether memory stays flat).
import { cpus, loadavg } from 'node:os';
import { keepProof, type Race } from '../evidence/proofs.ts';
import { measureFootprint, measureMillion } from './footprint.ts';
import { measureHuge } from './huge-world.ts';
import { measureKit } from './kit.ts';
import type { LoadResult } from './load.ts';
import { jsonServer, mockoon, type OtherServer, openapiBackend, prism } from './other-servers.ts';
import { type Contender, type RoundOptions, runRounds } from './rounds.ts';
import { measureSaving } from './saving.ts';
import { canPin, type ServerProcess, startServer } from './server-process.ts';
import { number, table, verdict } from './table.ts';
import * as targets from './targets.ts';

const load = loadavg()[0] ?? 0;
const isQuick = process.argv.includes('--quick');
const print = (text: string) => void process.stdout.write(`${text}\n`);

/** One comparison; `ratioMin` is its target, printed with it. */
interface Case {
  readonly title: string;
  readonly kind: 'get' | 'post';
  readonly connections: number;
  readonly ratioMin: number;
}

const cases: readonly Case[] = [
  { title: 'GET /articles?limit=20, 50 connections', kind: 'get', connections: 50, ratioMin: 0.6 },
  { title: 'GET /articles?limit=20, 1 connection', kind: 'get', connections: 1, ratioMin: 0.6 },
  { title: 'POST .../posts, 50 connections', kind: 'post', connections: 50, ratioMin: 0.5 },
  { title: 'POST .../posts, 1 connection', kind: 'post', connections: 1, ratioMin: 0.5 },
];

/** A server that takes part, and how it differs from ours where it does. */
interface Entrant {
  readonly server: ServerProcess;
  readonly other?: OtherServer;
}

const columns = ['server', 'requests/s', 'ratio', 'by CPU time', 'p50 ms', 'p99 ms', 'CPU µs/request', 'bytes'];

/** The same question in each server's own words. */
function requestOf({ kind }: Case, { other }: Entrant, facts: targets.Facts): string {
  if (kind === 'get') return targets.getRequest(other?.listPath ?? '/api/v1/articles?limit=20', facts.key);
  // Prism leaves out the path of the base URL.
  return targets.postRequest(other?.options.name === 'Prism' ? '' : '/api/v1', facts);
}

/** Prints a table and whether its targets are met. */
function compare(each: Case, entrants: readonly Entrant[], facts: targets.Facts): Race {
  const taking = entrants.filter(({ other }) => each.kind === 'get' || (other?.posts ?? true));
  const contenders: Contender[] = taking.map((entrant) => ({
    server: entrant.server,
    requestsFile: targets.requestsFile(`${each.title} ${entrant.server.name}`, [requestOf(each, entrant, facts)]),
  }));
  const length: RoundOptions = {
    connections: each.connections,
    ms: isQuick ? 500 : 1_000,
    repetitions: isQuick ? 3 : 7,
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
  const race = [...results].map(([server, result]) => {
    const [byRequests, byCpu] = ratios(result, yardstick);
    return { server, perSecond: result.perSecond, byRequests, byCpu, p50Ms: result.p50Ms, p99Ms: result.p99Ms };
  });
  print(`### ${each.title}\n\n${table(columns, rows)}`);
  const own = results.get('casa-kit') as LoadResult;
  print(judge(ratios(own, yardstick), each.ratioMin, 'of node:http'));
  const ofPrism = results.get('Prism');
  // With one connection all servers wait for the client most of the time.
  if (ofPrism && each.kind === 'get' && each.connections > 1) print(judge(ratios(own, ofPrism), 10, 'times Prism'));
  print('');
  return { title: each.title, rows: race };
}

type Ratios = readonly [byRequests: number, byProcessorTime: number];

/**
 * A saturated server gives both alike. Other work on the machine takes requests away, but hardly adds processor time.
 */
function ratios(own: LoadResult, other: LoadResult): Ratios {
  return [own.perSecond / other.perSecond, other.serverUs / own.serverUs];
}

/** The better of both ratios counts, because other work on the machine can only make one of them worse. */
function judge([byRequests, byTime]: Ratios, least: number, what: string): string {
  const found = `${number(byRequests, 2)} by requests, ${number(byTime, 2)} by CPU time`;
  return verdict(Math.max(byRequests, byTime) >= least, `at least ${least} ${what} (${found})`);
}

print(
  `## Bench\n\n${cpus()[0]?.model}, ${cpus().length} processors, node ${process.version}, ours from ${targets.source}.`,
);
const pinning = canPin ? 'pinned to one processor, the load to another' : 'not pinned';
print(`Servers ${pinning}; medians of alternated rounds. Load before: ${number(load, 1)}.\n`);
const own = await targets.startRaised(targets.ours());
const entrants: Entrant[] = [{ server: own }];
try {
  const facts = await targets.gatherFacts(own);
  const others = [prism, jsonServer, mockoon, openapiBackend].map((make) => make(facts));
  for (const options of [targets.bare(facts), targets.fastify(facts)]) {
    if (options) entrants.push({ server: await startServer(options) });
  }
  for (const other of others) entrants.push({ server: await startServer(other.options), other });
  const races = cases.map((each) => compare(each, entrants, facts));
  keepProof('bench', { load, isQuick, races }, { isWhole: !isQuick });
  print(await measureHuge(own, facts, isQuick));
  print(await measureSaving(isQuick));
  print(await measureFootprint(others, isQuick));
} finally {
  await Promise.all(entrants.map(({ server }) => server.stop()));
}
if (process.argv.includes('--million')) print(await measureMillion());
if (!isQuick) print(measureKit());
