// What `--report KIND=FILE` can write.
import type { Reporter } from '../report/reporter.ts';
import { har } from './har.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { sarif } from './sarif.ts';

export const reporters: readonly Reporter[] = [json, junit, html, sarif, markdown, har];
