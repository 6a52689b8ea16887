// The time of a client that is a command on Node.js: `--speed` loads a module into it, which replaces timers, clock and
// random numbers.
import { drawsFrom } from './virtual-time.ts';

/** The module. It has no imports, because its text runs in the process of the client. */
function scale({ clockMs, realMs, speed, mark }: Scaled, random: () => number): void {
  const load = process.getBuiltinModule;
  const [fs, timers, promises, channel] = [
    load('node:fs'),
    load('node:timers'),
    load('node:timers/promises'),
    load('node:diagnostics_channel'),
  ];
  const { setTimeout: start, setInterval: repeat, Date: RealDate } = globalThis;
  const [pause, realNow] = [promises.setTimeout, performance.now.bind(performance)];
  const nowMs = () => clockMs + (RealDate.now() - realMs) * speed;
  const scaled = (ms: unknown) => (Number(ms) > 1 ? Math.ceil(Number(ms) / speed) : 1);
  const own = {
    setTimeout: Object.assign(
      (work: () => void, ms?: number, ...given: []) => start(work, scaled(ms), ...given),
      start,
    ),
    setInterval: (work: () => void, ms?: number, ...given: []) => repeat(work, scaled(ms), ...given),
  };
  const paused = (ms?: number, value?: unknown, options?: object) => pause(scaled(ms), value, options);
  Object.defineProperty(own.setTimeout, load('node:util').promisify.custom, { value: paused });
  const date = {
    apply: () => new RealDate(nowMs()).toString(),
    construct: (target: DateConstructor, given: [], self: () => void) =>
      Reflect.construct(target, given.length > 0 ? given : [nowMs()], self),
    get: (target: DateConstructor, name: string) => (name === 'now' ? nowMs : Reflect.get(target, name)),
  };
  Object.assign(globalThis, own, { Date: new Proxy(RealDate, date) });
  Object.assign(timers, own);
  promises.setTimeout = paused as typeof promises.setTimeout;
  performance.now = () => realNow() * speed;
  // That of Node.js calls the `setTimeout` that is replaced here, depending on the version.
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    const expire = () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    start(expire, scaled(ms)).unref();
    return controller.signal;
  };
  Math.random = random;
  load('node:module').syncBuiltinESMExports();
  for (const name of ['undici:request:create', 'http.client.request.start'])
    channel.subscribe(name, () => fs.writeFileSync(mark, ''));
}

interface Scaled {
  /** The clock of the mock at a moment of real time. */
  readonly clockMs: number;
  readonly realMs: number;
  readonly speed: number;
  /** The least random number. */
  readonly lowest: number;
  /** A file that exists once the client sends requests with this module. */
  readonly mark: string;
}

/** Returns the environment of such a client. */
export function scaledEnvironment(scaled: Scaled): NodeJS.ProcessEnv {
  const source = `(${scale})(${JSON.stringify(scaled)}, (${drawsFrom})(${scaled.lowest}));`;
  const module = `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${module}`.trim() };
}
