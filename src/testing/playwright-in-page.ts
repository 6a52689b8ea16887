// Runs in pages and shared workers, so everything that it uses is inside the function.

/**
 * Blocks requests to URLs that start with `from` where Playwright cannot intercept them: in shared workers, and in a
 * page that its user leaves. Marks the URLs of shared workers, whose scripts get this function too. Each is an error on
 * the console of a page.
 */
export function blockUnroutable(from: string, mark: string): void {
  const scope = globalThis as unknown as Window & typeof globalThis;
  const isPage = 'document' in scope;
  const channel = new BroadcastChannel(mark);
  let blocks = !isPage;
  const block = (url: string | URL): Error | null => {
    const { href } = blocks ? new URL(url, scope.document?.baseURI ?? scope.location.href) : { href: '' };
    if (!blocks || !href.startsWith(from)) return null;
    const where = isPage ? 'a page that its user leaves' : 'a shared worker';
    const text = `casa-kit: blocked ${href}: Playwright cannot route the requests of ${where}.`;
    // The next page prints it: nobody reads the console of this one.
    if (isPage) sessionStorage.setItem(mark, [sessionStorage.getItem(mark), text].filter(Boolean).join('\n'));
    else channel.postMessage(text);
    return new TypeError(text);
  };
  const { fetch } = scope;
  scope.fetch = async (input, init) => {
    const error = block(input instanceof Request ? input.url : input);
    if (error !== null) throw error;
    return fetch(input, init);
  };
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, ...given: unknown[]) {
    const error = block(String(given[1]));
    if (error !== null) throw error;
    Reflect.apply(open, this, given);
  };
  if (!isPage) return;
  const { sendBeacon } = Navigator.prototype;
  Navigator.prototype.sendBeacon = function (url, data) {
    return block(url) === null && sendBeacon.call(this, url, data);
  };
  channel.addEventListener('message', ({ data }) => console.error(data));
  try {
    for (const text of sessionStorage.getItem(mark)?.split('\n') ?? []) console.error(text);
    sessionStorage.removeItem(mark);
  } catch {
    // An opaque origin has no storage, and no page before it.
  }
  const leave = ({ type }: Event) => {
    // A popup leaves its empty first document, and sends requests before its page is shown.
    blocks = type === 'pagehide' && scope.location.href !== 'about:blank';
  };
  for (const type of ['pagehide', 'pageshow']) scope.addEventListener(type, leave, true);
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
