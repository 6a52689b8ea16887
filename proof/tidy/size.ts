// `npm run size`: lines of hand-written TypeScript, by package, against budget.json. Exits with 1 above the budget.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface Size {
  readonly lines: number;
  readonly files: number;
}

const parts: Readonly<Record<string, (path: string) => boolean>> = {
  all: () => true,
  shipped: (path) => /^(src|conformance)\//.test(path) && !path.includes('.test.'),
  src: (path) => path.startsWith('src/') && !path.includes('.test.'),
  conformance: (path) => path.startsWith('conformance/') && !path.includes('.test.'),
  tests: (path) => /^(src|conformance|spec)\/.*\.test\./.test(path),
  proof: (path) => path.startsWith('proof/'),
  'test-kit': (path) => path.startsWith('fixtures/test-kit/'),
};

export function measure(files: ReadonlyMap<string, string>): Record<string, Size> {
  const measured = Object.entries(parts).map(([part, has]) => {
    const own = [...files].filter(([path]) => has(path));
    return [part, { lines: own.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0), files: own.length }];
  });
  return Object.fromEntries(measured);
}

export function exceeded(sizes: Readonly<Record<string, Size>>, budget: Readonly<Record<string, Size>>): string[] {
  const advice = 'Delete code, or raise proof/tidy/budget.json with a reason.';
  return Object.entries(budget).flatMap(([part, allowed]) =>
    (['lines', 'files'] as const)
      .filter((unit) => (sizes[part]?.[unit] ?? 0) > allowed[unit])
      .map((unit) => `${part} has ${sizes[part]?.[unit]} ${unit}; the budget is ${allowed[unit]}. ${advice}`),
  );
}

function readTracked(): Map<string, string> {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], { encoding: 'utf8' });
  const paths = list.split('\n').filter((path) => path !== '' && !path.includes('generated') && existsSync(path));
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}

if (process.argv[1]?.endsWith('size.ts')) {
  const budget = JSON.parse(readFileSync(new URL('./budget.json', import.meta.url), 'utf8')) as Record<string, Size>;
  const sizes = measure(readTracked());
  for (const [part, { lines, files }] of Object.entries(sizes)) {
    const allowed = budget[part];
    const limit = allowed ? `budget ${allowed.lines} lines, ${allowed.files} files` : '';
    console.log(`${part.padEnd(12)} ${String(lines).padStart(7)} lines ${String(files).padStart(5)} files   ${limit}`);
  }
  const problems = exceeded(sizes, budget);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
