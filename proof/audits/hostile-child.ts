// One run of the kit in a process of its own, so that its memory can be measured: prints seconds, megabytes and exit
// code.
import { main } from '../../conformance/cli/command.ts';

const started = performance.now();
const code = await main(process.argv.slice(2), process.env, {
  out: () => undefined,
  err: { isTty: false, columns: 80, write: (text) => void (process.env.SHOW && process.stderr.write(text)) },
  hasColour: false,
});
const seconds = (performance.now() - started) / 1000;
const { maxRSS, userCPUTime } = process.resourceUsage();
console.log(JSON.stringify({ code, seconds, cpu: userCPUTime / 1e6, megabytes: maxRSS / 1024 }));
process.exit(0);
