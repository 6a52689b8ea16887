// `npm run evidence`: a static site of what the proofs found, from the results that they left in .tmp. It runs none of
// them. `--out DIR` names the folder, `--source URL` the place of the files on a forge (.../blob/COMMIT).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { criteria } from './criteria.ts';
import { gatherEvidence, traceClauses } from './evidence.ts';
import { proofsFolder } from './proofs.ts';
import { siteOf } from './site.ts';

function readArguments() {
  try {
    return parseArgs({ options: { out: { type: 'string', default: '.tmp/evidence' }, source: { type: 'string' } } })
      .values;
  } catch (error) {
    process.stderr.write(
      `evidence: ${(error as Error).message}\nUsage: npm run evidence -- [--out DIR] [--source URL]\n`,
    );
    return process.exit(2);
  }
}

const { out, source } = readArguments();
if (source !== undefined && !/^https?:\/\//.test(source)) {
  process.stderr.write(`evidence: --source "${source}" is not an http or https address.\n`);
  process.exit(2);
}
const prefix = source === undefined ? `${relative(resolve(out), process.cwd())}/` : `${source.replace(/\/+$/, '')}/`;
try {
  const evidence = gatherEvidence({ proofs: proofsFolder, tests: '.tmp' }, await traceClauses());
  const site = siteOf({ evidence, source: { prefix, hasLines: source !== undefined } });
  mkdirSync(out, { recursive: true });
  for (const [name, text] of site) writeFileSync(join(out, name), text);
  for (const { id, sentence, judge } of criteria) {
    const { state, detail } = judge(evidence);
    process.stdout.write(`${state.padEnd(7)}  ${id}  ${sentence} (${detail})\n`);
  }
  process.stdout.write(`${site.size} files in ${out}; open ${join(out, 'index.html')}\n`);
} catch (error) {
  process.stderr.write(`evidence: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
