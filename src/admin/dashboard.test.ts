import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSources } from '../../spec/source-files.ts';
import { showDashboard } from './dashboard.ts';
import { script, style } from './generated/dashboard-page.ts';

const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const sources = readSources(['src/admin/client/*.ts']).map(({ text }) => text);
const html = String(showDashboard().body);

describe('the dashboard', () => {
  it('runs its own script and style only: the policy names their digests', () => {
    const policy = showDashboard().headers['content-security-policy'];
    expect(policy).toContain(`script-src ${digest(script)}`);
    expect(policy).toContain(`style-src ${digest(style)}`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('loads nothing from elsewhere and has no inline handlers', () => {
    expect(html.match(/(src|href)="(?!data:,)[^"]*"/g)).toBeNull();
    expect(html.match(/\son[a-z]+="/g)).toBeNull();
    expect(html.match(/\sstyle="/g)).toBeNull();
    expect(html).not.toContain('http://');
  });

  it('puts nothing on the page as markup', () => {
    expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/);
  });

  it('is one script that parses, and every element that it looks for is there', () => {
    expect(() => new Function(script)).not.toThrow();
    const lookUps = sources.flatMap((text) => [...text.matchAll(/(?:byId(?:<\w+>)?|fill|onClick)\(\s*'([a-z]+)'/g)]);
    const wanted = lookUps.map((match) => match[1] as string);
    expect(wanted.length).toBeGreaterThan(20);
    expect(wanted.filter((id) => !html.includes(`id="${id}"`))).toEqual([]);
  });

  it('has a script without anything that would end it early', () => {
    expect(script).not.toContain('</script');
    expect(style).not.toContain('</style');
  });
});
