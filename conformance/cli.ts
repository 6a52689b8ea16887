#!/usr/bin/env node
// The command on the process it is in; command.ts does everything.
import { endWithOutput } from '../src/terminal/output.ts';
import { visible } from '../src/terminal/visible.ts';
import { main } from './cli/command.ts';
import { terminalOf } from './cli/io.ts';

const controller = new AbortController();
// After any signal, by hand, by CI or by a closed terminal, the results so far are reported.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
  process.once(name, () => {
    process.stderr.write('\nStopping after the current check. Press Ctrl+C again to stop now.\n');
    controller.abort();
  });
}

// `conformance ... | head` closes our output, and so does a closed terminal. The result stays the same.
endWithOutput('conformance', process, () => undefined);

try {
  // An exit code that is set, not an exit: pipes may still hold what was written.
  process.exitCode = await main(process.argv.slice(2), process.env, {
    out: (text) => process.stdout.write(text),
    ...terminalOf(process),
    signal: controller.signal,
  });
} catch (error) {
  const what = error instanceof Error ? error.message : String(error);
  process.stderr.write(`conformance: this is a bug of casa-kit, please report it: ${visible(what)}\n`);
  process.exitCode = 4;
}
