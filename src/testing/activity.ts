// Runs in pages too, so everything that it uses is inside the function.

/** What a scope has under way. */
export interface Activity {
  /** `fetch` and `XMLHttpRequest` without a response. */
  pending(): number;
  /** Milliseconds until the next timer, at least 1; null without timers. */
  nextMs(): number | null;
}

/** Notes the timers and requests that a scope starts from now on. Calling it again watches replaced functions too. */
export function watchActivity(scope: typeof globalThis): Activity {
  interface Timer {
    dueMs: number;
    /** Of an interval; 0 for others. */
    readonly everyMs: number;
  }
  const mark = Symbol.for('casa-kit activity');
  const known = scope as unknown as {
    [mark]?: { timers: Map<unknown, Timer>; ours: WeakSet<object>; pending: number };
  };
  known[mark] ??= { timers: new Map(), ours: new WeakSet(), pending: 0 };
  const own = known[mark];
  // biome-ignore lint/suspicious/noExplicitAny: the functions of a scope have many types.
  const wrap = (target: any, name: string, after: (result: any, given: any[], self: any) => void) => {
    const method = target?.[name];
    if (typeof method !== 'function' || own.ours.has(method)) return;
    target[name] = new Proxy(method, {
      apply: (to, self, given) => {
        const result = Reflect.apply(to, self, given);
        after(result, given, self);
        return result;
      },
    });
    own.ours.add(target[name]);
  };
  const begin = (): (() => void) => {
    own.pending += 1;
    return () => {
      own.pending -= 1;
    };
  };
  for (const name of ['setTimeout', 'setInterval'])
    wrap(scope, name, (id, [, delay]) => {
      const ms = Math.max(1, Number(delay) || 0);
      own.timers.set(id, { dueMs: scope.Date.now() + ms, everyMs: name === 'setInterval' ? ms : 0 });
    });
  for (const name of ['clearTimeout', 'clearInterval']) wrap(scope, name, (_, [id]) => void own.timers.delete(id));
  wrap(scope, 'fetch', (response: Promise<unknown>) => {
    const end = begin();
    response.then(end, end);
  });
  wrap(scope.XMLHttpRequest?.prototype, 'send', (_, __, request: XMLHttpRequest) => {
    if (request.readyState < 4) request.addEventListener('loadend', begin(), { once: true });
  });
  return {
    pending: () => own.pending,
    nextMs: () => {
      const nowMs = scope.Date.now();
      let soonest: number | null = null;
      for (const [id, timer] of own.timers) {
        if (timer.everyMs > 0 && timer.dueMs <= nowMs)
          timer.dueMs += timer.everyMs * (1 + Math.floor((nowMs - timer.dueMs) / timer.everyMs));
        if (timer.dueMs <= nowMs) own.timers.delete(id);
        else soonest = Math.min(soonest ?? timer.dueMs, timer.dueMs);
      }
      return soonest === null ? null : soonest - nowMs;
    },
  };
}
