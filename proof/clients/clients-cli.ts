// `npm run clients`: tests client libraries with their defaults, and writes the rows of
// docs/explanation/client-libraries.md. `-- --runs 20` runs the clients of this folder instead.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { count } from '../../src/terminal/count.ts';
import type { ClientReport, Scenario } from '../../src/try/index.ts';
import { tryClient } from '../../src/try/index.ts';
import { correctClients } from './correct.ts';
import { packages, prepareLibraries } from './libraries.ts';
import { runAll } from './runs.ts';

const page = 'docs/explanation/client-libraries.md';

const { values } = parseArgs({ options: { runs: { type: 'string' } } });
if (values.runs === undefined) await comparePage();
else process.exitCode = (await runAll(Math.max(1, Number(values.runs) || 1))) ? 0 : 1;
// Libraries keep timers and sockets open.
process.exit();

async function comparePage(): Promise<void> {
  const own = ['a script on fetch', 'a class with its own pace', 'a polling worker'];
  const scenarios: Record<string, Scenario> = {
    ...prepareLibraries(resolve('.tmp/clients')),
    ...Object.fromEntries(own.map((name) => [`${name} (agent)`, correctClients[name] as Scenario])),
  };
  const reports: [string, ClientReport][] = [];
  for (const [name, scenario] of Object.entries(scenarios)) {
    // React runs the work of all components in one queue, so cells must not share it.
    reports.push([name, await tryClient(scenario, name === 'SWR' ? { parallel: 1 } : {})]);
    const ids = reports.at(-1)?.[1].violations.map(({ id }) => id) ?? [];
    console.log(`${name}: ${ids.join(', ') || 'no violations'}`);
  }
  const rows = reports.map(([name, report]) => `| ${rowOf(name, report).join(' | ')} |`);
  const head =
    '| Client | 429 | 502, 503 | 400 to 404 | Lost response | Legal variants | Violations |\n|---|---|---|---|---|---|---|';
  const found = reports.flatMap(([name, { violations }]) =>
    violations.map(
      ({ message, clause, cells }) => `- **${name}**: ${message} (${clause}, ${count(cells.length, 'test case')})`,
    ),
  );
  const versions = packages.filter((name) => !/^(typescript|react)/.test(name)).map((name) => `\`${name}\``);
  const text = readFileSync(page, 'utf8').split(/(?<=<!-- generated: npm run clients -->\n)|(?=<!-- end -->)/);
  const generated = `\n${head}\n${rows.join('\n')}\n\n${found.join('\n')}\n\nVersions: ${versions.join(', ')}.\n\n`;
  writeFileSync(page, `${text[0]}${generated}${text.at(-1)}`);
}

function rowOf(name: string, { dimensions, violations }: ClientReport): string[] {
  const figure = (dimension: string, fits: (outcome: string) => boolean) => {
    const all = dimensions.find(({ id }) => id === dimension)?.retries.filter(({ outcome }) => fits(outcome)) ?? [];
    const waits = all.flatMap(({ waitS }) => waitS ?? []);
    if (waits.length === 0) return null;
    return { times: Math.max(...all.map(({ times }) => times)), least: Math.min(...waits), most: Math.max(...waits) };
  };
  const has = (start: string) => violations.some(({ id }) => id.startsWith(start));
  const range = ({ least, most }: { least: number; most: number }) =>
    least === most ? `${least} s` : `${least} to ${most} s`;
  const limited = figure('limits', () => true);
  const failing = figure('errors', (outcome) => outcome !== '500');
  const refused = figure('refusals', () => true);
  const variants = dimensions.filter(({ id }) => ['formats', 'pages', 'calls'].includes(id));
  const sum = (name: 'handled' | 'violated') => variants.reduce((total, row) => total + row[name], 0);
  const [handled, violated] = [sum('handled'), sum('violated')];
  return [
    name,
    limited === null
      ? 'gives up'
      : `${has('early-retry') ? 'too early' : 'waits'}: ${range(limited)}${has('stops') ? ', or sends nothing more' : ''}`,
    failing === null ? 'gives up' : `${failing.times} × after ${range(failing)}`,
    refused === null ? '0 ×' : `${refused.times} × after ${range(refused)}`,
    has('write-repeated') ? 'repeats writes' : figure('connections', () => true) ? 'repeats reads' : 'gives up',
    `${handled} of ${handled + violated}`,
    String(violations.length),
  ];
}
