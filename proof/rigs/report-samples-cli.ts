// `npm run samples`: writes the samples of docs/reference/reports.md, and the output of each command that README and
// docs show.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { setup } from './bundled-command.ts';
import { withOutput } from './doc-commands.ts';
import { withSamples } from './report-samples.ts';

const reports = 'docs/reference/reports.md';
await setup();
for (const page of ['README.md', ...globSync('docs/**/*.md')]) {
  const text = readFileSync(page, 'utf8');
  const today = await withOutput(page === reports ? await withSamples(text) : text);
  if (today !== text) writeFileSync(page, today);
}
