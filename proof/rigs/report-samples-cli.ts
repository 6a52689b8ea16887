// `npm run samples`: writes the samples of docs/reports.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { withSamples } from './report-samples.ts';

const page = 'docs/reports.md';
writeFileSync(page, await withSamples(readFileSync(page, 'utf8')));
