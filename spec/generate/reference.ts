// The contract's document as JSON text, which the mock serves unchanged, and the assumptions of the mock.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export function emitDocument(specFolder: URL): string {
  const document = parse(readFileSync(new URL('openapi.yaml', specFolder), 'utf8'), { merge: true });
  return `export const apiDocument = ${JSON.stringify(JSON.stringify(document))};\n`;
}

const shape = `export interface AssumptionText {
  readonly title: string;
  readonly text: string;
  readonly clauses: readonly string[];
}

`;

/** Each section of assumptions.md: a heading with id and title, paragraphs, and a list that ends with the clauses. */
export function emitAssumptionTexts(specFolder: URL): string {
  const sections = readFileSync(new URL('assumptions.md', specFolder), 'utf8').split(/^## /m).slice(1);
  const rows = sections.map((section) => {
    const [, id = '', title = ''] = /^(C\d+) (.*)$/m.exec(section) ?? [];
    const [written = '', listed = ''] = section.replace(/^.*\n/, '').split('\n- Clauses: ');
    const text = written.trim().replaceAll(/\n+(- )?/g, ' ');
    const clauses = [...listed.matchAll(/`([^`]+)`/g)].map(([, clause]) => clause);
    return `  ${id}: ${JSON.stringify({ title, text, clauses })},\n`;
  });
  return `${shape}export const assumptionTexts: Readonly<Record<string, AssumptionText>> = {\n${rows.join('')}};\n`;
}
