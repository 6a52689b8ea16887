import { readFileSync } from 'node:fs';

/**
 * The version of this package. Both dist/ and src/cli/ are read from here, so the manifest may be one or two levels up.
 */
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
