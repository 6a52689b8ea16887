// Loaded into the process of the mock: the longest time that its thread worked without coming back to the event loop.
// It is processor time, so that other work on the machine does not count.

const tickMs = 1;
let last = usedMs();
let worst = 0;

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function tick(): void {
  const now = usedMs();
  worst = Math.max(worst, now - last);
  last = now;
  setTimeout(tick, tickMs).unref();
}

tick();
process.on('message', (wish) => {
  if (wish === 'worst') process.send?.(worst);
  worst = 0;
  last = usedMs();
});
process.channel?.unref();
