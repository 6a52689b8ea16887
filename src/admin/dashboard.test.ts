import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readSources } from '../../spec/source-files.ts';
import { renderPage } from './dashboard.ts';
import * as dashboard from './generated/dashboard-page.ts';
import * as reference from './generated/docs-page.ts';

const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe.each([
  ['the dashboard', dashboard],
  ['the reference', reference],
])('%s', (_name, parts) => {
  const { body, headers } = renderPage('casa', parts);
  const html = String(body);
  const { script, style } = parts;

  it('runs its own script and style only: the policy names their digests', () => {
    const policy = headers['content-security-policy'];
    expect(policy).toContain(`script-src ${digest(script)}`);
    expect(policy).toContain(`style-src ${digest(style)}`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('loads nothing from elsewhere and has no inline handlers', () => {
    const markup = html.replace(script, '').replace(style, '');
    expect(markup.match(/(src|href)="(?!data:,)[^"]*"/g)).toBeNull();
    expect(markup.match(/\s(on[a-z]+|style)="/g)).toBeNull();
    expect(style).not.toMatch(/url\(|@import/);
  });

  it('evaluates no text', () => {
    expect(() => new Function(script)).not.toThrow();
    expect(script).not.toMatch(/outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/);
  });

  it('has a script without anything that would end it early', () => {
    expect(script).not.toContain('</script');
    expect(style).not.toContain('</style');
  });
});

describe('all pages together', () => {
  it('take less than 150 KB', () => {
    const pages = [dashboard, reference].map((parts) => gzipSync(String(renderPage('casa', parts).body)).length);
    expect(pages.reduce((sum, bytes) => sum + bytes)).toBeLessThan(150_000);
  });
});

describe('the sources of the pages', () => {
  it.each(readSources(['src/admin/client/*.{ts,tsx}']))('$path puts nothing on the page as markup', ({ text }) => {
    expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacent|dangerously|document\.write|srcdoc/i);
  });
});
