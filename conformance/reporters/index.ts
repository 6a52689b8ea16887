// The formats of `--report KIND=FILE`.
import { type Reporter, type ReportKind, reportKinds } from '../report/outcome.ts';
import { withRedactedBodies } from '../report/redact.ts';
import { har } from './har.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { sarif } from './sarif.ts';

/** Each kind has a reporter, or the code fails to compile. */
const byKind: Readonly<Record<ReportKind, Reporter>> = { json, junit, html, sarif, md: markdown, har };

/** Formats with complete bodies, if the user keeps them. `conformance verify` needs both. */
const complete: ReadonlySet<ReportKind> = new Set(['json', 'har']);

/** The report formats, in the order of the help text. */
export const reporters: readonly Reporter[] = reportKinds.map((kind) => {
  const { render, ...rest } = byKind[kind];
  return {
    ...rest,
    render: (report, outcome) => render(complete.has(kind) ? report : withRedactedBodies(report), outcome),
  };
});
