// The formats of `--report KIND=FILE`.
import { type Reporter, type ReportKind, reportKinds } from '../report/outcome.ts';
import { har } from './har.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { sarif } from './sarif.ts';

/** Each kind has a reporter, or the code fails to compile. */
const byKind: Readonly<Record<ReportKind, Reporter>> = { json, junit, html, sarif, md: markdown, har };

/** The report formats, in the order of the help text. */
export const reporters: readonly Reporter[] = reportKinds.map((kind) => byKind[kind]);
