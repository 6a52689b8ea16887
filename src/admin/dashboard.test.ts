import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dashboardDigests, showDashboard } from './dashboard.ts';
import { dashboardScript } from './dashboard-script.ts';
import { dashboardStyle } from './dashboard-style.ts';

const digest = (text: string) => createHash('sha256').update(text).digest('base64');
const html = String(showDashboard().body);

describe('the dashboard', () => {
  it('runs its own script and style only: the policy names their digests', () => {
    expect(dashboardDigests).toEqual({ script: digest(dashboardScript), style: digest(dashboardStyle) });
    const policy = showDashboard().headers['content-security-policy'];
    expect(policy).toContain(`script-src 'sha256-${digest(dashboardScript)}'`);
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
    expect(dashboardScript).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/);
  });

  it('is one script that parses, and every element it looks for is there', () => {
    expect(() => new Function(dashboardScript)).not.toThrow();
    const wanted = [...dashboardScript.matchAll(/(?:\$|fill)\('([a-z]+)'/g)].map((match) => match[1] as string);
    expect(wanted.length).toBeGreaterThan(20);
    expect(wanted.filter((id) => !html.includes(`id="${id}"`))).toEqual([]);
  });

  it('has a script without anything that would end it early', () => {
    expect(dashboardScript).not.toContain('</script');
    expect(dashboardStyle).not.toContain('</style');
  });
});
