// The document of the admin API as JSON text, which the mock serves unchanged.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export function emitAdmin(specFolder: URL): string {
  const document = parse(readFileSync(new URL('admin.openapi.yaml', specFolder), 'utf8'), { merge: true });
  return `export const adminDocument = ${JSON.stringify(JSON.stringify(document))};\n`;
}
