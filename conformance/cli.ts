#!/usr/bin/env node
// The command on the process it is in; everything it does is in command.ts.
import { main } from './command.ts';

const controller = new AbortController();
process.once('SIGINT', () => controller.abort());

// An exit code that is set, not an exit: pipes may still hold what was written.
process.exitCode = await main(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  err: {
    isTty: process.stderr.isTTY === true,
    columns: process.stderr.columns ?? 80,
    write: (text) => process.stderr.write(text),
  },
  hasColour: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  signal: controller.signal,
});
