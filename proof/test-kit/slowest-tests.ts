// Ends a run of tests with its slowest ones, so what grows slow is seen while it is small.
import { relative } from 'node:path';
import type { Reporter } from 'vitest/node';

/** Silent for runs of no more tests than that: they are looked at one by one anyway. */
export function slowestTests(count: number): Reporter {
  return {
    onTestRunEnd(modules) {
      const tests = modules.flatMap((module) => [...module.children.allTests()]);
      if (tests.length <= count) return;
      const slowest = tests
        .map((test) => ({ test, ms: test.diagnostic()?.duration ?? 0 }))
        .sort((a, b) => b.ms - a.ms)
        .slice(0, count)
        .map(({ test, ms }) => {
          const file = relative(process.cwd(), test.module.moduleId);
          return `${(ms / 1000).toFixed(1).padStart(7)} s  ${file} > ${test.fullName}\n`;
        });
      process.stdout.write(`\nThe ${count} slowest tests\n${slowest.join('')}`);
    },
  };
}
