// Runs in pages and shared workers, so everything that it uses is inside the function.

/** Requests to URLs that start with `from` go to `to`; `key` is for requests without one. */
interface Redirection {
  readonly from: string;
  readonly to: string;
  readonly key: string | null;
}

/**
 * Sends requests straight to the mock where Playwright cannot intercept them: in shared workers, and in a page that its
 * user leaves. Marks the URLs of shared workers, whose scripts get this function too.
 */
export function redirectRequests({ from, to, key }: Redirection, mark: string): void {
  const scope = globalThis as unknown as Window & typeof globalThis;
  const isPage = 'document' in scope;
  let redirects = !isPage;
  const moved = (url: string | URL): string | null => {
    if (!redirects) return null;
    const { href } = new URL(url, scope.document?.baseURI ?? scope.location.href);
    return href.startsWith(from) ? to + href.slice(from.length) : null;
  };
  const { fetch } = scope;
  scope.fetch = async (input, init) => {
    const url = moved(input instanceof Request ? input.url : input);
    if (url === null) return fetch(input, init);
    const request = new Request(input instanceof Request ? new Request(url, input) : url, init);
    if (key !== null && !request.headers.has('authorization')) request.headers.set('authorization', `Bearer ${key}`);
    return fetch(request);
  };
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, url: string, ...rest: unknown[]) {
    Reflect.apply(open, this, [method, moved(url) ?? url, ...(rest.length > 0 ? rest : [true])]);
  };
  if (!isPage) return;
  const { sendBeacon } = Navigator.prototype;
  Navigator.prototype.sendBeacon = function (url, data) {
    return sendBeacon.call(this, moved(url) ?? url, data);
  };
  for (const type of ['pagehide', 'pageshow'])
    scope.addEventListener(
      type,
      () => {
        redirects = type === 'pagehide';
      },
      true,
    );
  const { SharedWorker } = scope;
  if (SharedWorker === undefined) return;
  scope.SharedWorker = class extends SharedWorker {
    constructor(script: string | URL, options?: string | WorkerOptions) {
      const url = new URL(script, scope.document.baseURI);
      if (/^https?:$/.test(url.protocol)) url.searchParams.set(mark, '1');
      super(url, options);
    }
  };
}
