// What the evidence pages have in common: the frame, the origin of a figure, and links into the repository.
import { createHash } from 'node:crypto';
import { html, type Markup } from '../../conformance/reporters/html/markup.ts';
import type { Evidence, Trace } from './evidence.ts';
import { commands, type Kept, type ProofName } from './proofs.ts';
import { style } from './style.ts';

/** The pages of the site; the kill matrix is there when it was run. */
export interface Place {
  readonly evidence: Evidence;
  /** Before the path of a file of the repository, and what a line is named by. */
  readonly source: { readonly prefix: string; readonly hasLines: boolean };
}

const pages = [
  ['index.html', 'Evidence'],
  ['clauses.html', 'Clauses'],
  ['identify.html', 'Readings'],
  ['kill.html', 'Kill matrix'],
] as const;

/** One file without a script, under a policy that lets none in. */
export function frame(file: (typeof pages)[number][0], title: string, { evidence, body }: Framed): string {
  const digest = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
  const there = pages.filter(([name]) => name !== 'kill.html' || evidence.proofs.kill !== null);
  const links = there.map(([name, text]) =>
    name === file ? html`<a href="${name}" aria-current="page">${text}</a>` : html`<a href="${name}">${text}</a>`,
  );
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer">
<title>${title}</title><style>${{ markup: style }}</style></head>
<body><nav aria-label="Pages">${links}</nav><main>${body}
<footer>Made by <code>npm run evidence</code> at ${moment(evidence.madeAt)}${
    evidence.commit !== null && html`, commit <code>${evidence.commit}</code>`
  }. The figures are in the feeds as well: <a href="feeds.json">feeds.json</a> lists them.</footer></main></body></html>
`.markup;
}

interface Framed {
  readonly evidence: Evidence;
  readonly body: Markup;
}

/** Where figures come from, when, and how to make them again; a box where the proof was not run. */
export function origin(kept: Kept | null, proof: ProofName): Markup {
  if (kept === null) {
    return html`<p class="box"><b>Not run.</b> <code>${commands[proof]}</code> makes these figures, and this page shows them then.</p>`;
  }
  const part = kept.isWhole ? html`` : html` <span class="tag soso">a part only</span>`;
  return html`<p class="quiet">Made by <code>${kept.command}</code> at ${moment(kept.at)}${
    kept.commit !== null && html`, commit <code>${kept.commit}</code>`
  }, Node ${kept.node.replace('v', '')}.${part} Feed: <a href="${proof}.json">${proof}.json</a></p>`;
}

export function link({ path, line, name }: Trace, { prefix, hasLines }: Place['source']): Markup {
  const href = `${prefix}${path}${hasLines ? `#L${line}` : ''}`;
  return html`<a href="${href}">${path}:${line}</a>${name !== undefined && html` <code>${name}</code>`}`;
}

/** Minutes are enough, in a form that sorts. */
export function moment(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

export type Mood = 'good' | 'soso' | 'bad' | '';

export const tag = (mood: Mood, text: string): Markup => html`<span class="tag ${mood}">${text}</span>`;

export function table(header: readonly string[], rows: readonly Markup[], foot: Markup | null = null): Markup {
  const cells = header.map(
    (text) => html`<th scope="col"${text.startsWith('#') && html` class="n"`}>${text.replace('#', '')}</th>`,
  );
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${cells}</tr></thead><tbody>${rows}</tbody>${
    foot !== null && html`<tfoot>${foot}</tfoot>`
  }</table></div>`;
}
