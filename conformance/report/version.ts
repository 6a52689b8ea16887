import { readFileSync } from 'node:fs';

/** The version of the package. From the sources its manifest is one level up, from a chunk of the bundle two. */
export function readVersion(): string {
  for (const place of ['../package.json', '../../package.json']) {
    try {
      const manifest: { name?: string; version?: string } = JSON.parse(
        readFileSync(new URL(place, import.meta.url), 'utf8'),
      );
      if (manifest.name === 'casa-kit' && manifest.version) return manifest.version;
    } catch {
      // Not at this level: try the next.
    }
  }
  return 'unknown';
}
