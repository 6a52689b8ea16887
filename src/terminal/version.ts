import { readFileSync } from 'node:fs';

/** Returns the version of this package. The manifest is one level above dist/ and two above src/cli/. */
export function readVersion(): string {
  for (const place of ['../package.json', '../../package.json']) {
    try {
      const manifest = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as {
        name: string;
        version: string;
      };
      if (manifest.name === 'casa-kit') return manifest.version;
    } catch {
      // Not at this level: try the next.
    }
  }
  return 'unknown';
}
