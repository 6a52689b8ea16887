// The page at `connectUrl` for a mock without a server: it is shown over the page that opens it. A separate tab
// requests it from the tab with the mock.
import type { Casa } from './casa.ts';

/** A consent page as the mock returned it. */
interface Shown {
  readonly status: number;
  readonly html: string;
}

/** Gets the page, or sends its form (url-encoded) and gets the page after it. */
type Ask = (form: string | null) => Promise<Shown>;

/** Between tabs: a request, and its response with the same id; an empty id needs no response. */
type Message =
  | { readonly id: string; readonly path: string; readonly form: string | null }
  | { readonly id: string; readonly shown: Shown };

/** The part of the Navigation API that is used here; not every browser has it. */
interface Navigation {
  addEventListener(type: 'navigate', listener: (event: NavigateEvent) => void): void;
}

interface NavigateEvent extends Event {
  readonly canIntercept: boolean;
  readonly destination: { readonly url: string };
  intercept(options: { handler: () => Promise<void> }): void;
}

/** How long another tab can take to respond. */
const patienceMs = 1_000;
const frameId = 'casa-consent';

/**
 * Lets this page open the connect links of its mock. Gives back what is to be called with each link that is made;
 * outside a page it does nothing.
 */
export function openConsentPages(casa: Casa): (connectUrl: string) => void {
  const page = globalThis as typeof globalThis & { navigation?: Navigation };
  // A page of jsdom opens nothing.
  if (typeof page.document === 'undefined' || !('serviceWorker' in page.navigator)) return () => {};
  if (page.location.origin !== casa.origin) return createWarning();
  const others = typeof BroadcastChannel === 'undefined' ? null : new Others(casa);
  // This tab's own mock first, then the other tabs': a link is known where it was made.
  const open = (path: string) =>
    show(async (form) => {
      const own = await askMock(casa, path, form);
      if (own.status === 404) return (await others?.ask(path, form)) ?? own;
      // A tab that was opened by another one has a copy of its mock, and both are to know of the account.
      if (form !== null) others?.tell(path, form);
      return own;
    });
  if (isConsent(page.location.pathname)) void open(page.location.pathname + page.location.search);
  page.navigation?.addEventListener('navigate', (event) => {
    const { origin, pathname, search } = new URL(event.destination.url);
    if (origin !== casa.origin || !isConsent(pathname)) hide();
    else if (event.canIntercept) event.intercept({ handler: () => open(pathname + search) });
  });
  return () => {};
}

/** Whether a path of the mock's origin is that of a connect link. */
export function isConsent(path: string): boolean {
  return /^\/connect\/[^/]+\/?$/.test(path);
}

/** Once: a suite that makes a hundred links reads it once. */
function createWarning(): (connectUrl: string) => void {
  let warned = false;
  return (connectUrl) => {
    if (warned) return;
    warned = true;
    console.warn(
      `casa: this page cannot open ${connectUrl}, because it is of another origin and no server is there; ` +
        "give casaHandlers a base URL of the page's own origin, such as '/api/v1'.",
    );
  };
}

/** In process, as a browser would send a page's request or its form. */
async function askMock(casa: Casa, path: string, form: string | null): Promise<Shown> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const init = form === null ? {} : { method: 'POST', body: form, headers };
  const response = await casa.fetch(`${casa.origin}${path}`, init);
  return { status: response.status, html: await response.text() };
}

/** The other tabs of this origin, as far as they have a mock. */
class Others {
  readonly #channel: BroadcastChannel;
  readonly #waiting = new Map<string, (shown: Shown) => void>();

  constructor(casa: Casa) {
    this.#channel = new BroadcastChannel(channelOf(casa));
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('shown' in data) this.#waiting.get(data.id)?.(data.shown);
      else void this.#respond(casa, data);
    };
  }

  /** Returns null if no tab responds in time: then the link is unknown. */
  async ask(path: string, form: string | null): Promise<Shown | null> {
    const id = crypto.randomUUID();
    const shown = new Promise<Shown | null>((resolve) => {
      this.#waiting.set(id, resolve);
      setTimeout(() => resolve(null), patienceMs);
    });
    this.#channel.postMessage({ id, path, form } satisfies Message);
    return shown.finally(() => this.#waiting.delete(id));
  }

  /** Sends without waiting: this tab has its own response. */
  tell(path: string, form: string): void {
    this.#channel.postMessage({ id: '', path, form } satisfies Message);
  }

  /** Sends the response of this tab's mock, except a 404: then another tab has the link. */
  async #respond(casa: Casa, { id, path, form }: Extract<Message, { path: string }>): Promise<void> {
    const shown = await askMock(casa, path, form);
    if (id !== '' && shown.status !== 404) this.#channel.postMessage({ id, shown } satisfies Message);
  }
}

/** By base URL, so two mocks of one origin do not hear each other. */
function channelOf({ baseUrl }: Casa): string {
  return `casa-kit ${baseUrl}`;
}

/**
 * A consent page for a tab in which nothing of ours runs, and whose worker lets the form go to the server: a script in
 * it sends the form to the tab that has the mock.
 */
export async function consentDocument(casa: Casa, path: string): Promise<Response> {
  const { status, html } = await askMock(casa, path, null);
  const names = JSON.stringify({ channel: channelOf(casa), path }).replaceAll('<', '\\u003c');
  const script = `const { channel, path } = ${names};
const others = new BroadcastChannel(channel);
const id = crypto.randomUUID();
others.onmessage = ({ data }) => {
  if (data.id === id && data.shown) document.body.innerHTML = new DOMParser().parseFromString(data.shown.html, 'text/html').body.innerHTML;
};
document.addEventListener('submit', (event) => {
  event.preventDefault();
  others.postMessage({ id, path, form: new URLSearchParams(new FormData(event.target, event.submitter)).toString() });
});`;
  const body = html.replace('</body>', () => `<script>${script}</script></body>`);
  return new Response(body, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
}

function hide(): void {
  document.getElementById(frameId)?.remove();
}

/**
 * An iframe over the page, since a page cannot be replaced and stay alive, and with it its mock. Its forms are sent to
 * the mock, and their responses are shown in their place.
 */
async function show(ask: Ask): Promise<void> {
  hide();
  const frame = document.createElement('iframe');
  frame.id = frameId;
  frame.title = 'Connect an account';
  frame.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;border:0;background:#fff;z-index:2147483647';
  const fill = async (form: string | null) => {
    // Links of the page lead the whole tab away.
    frame.srcdoc = (await ask(form)).html.replace('<head>', '<head><base target="_top">');
  };
  frame.addEventListener('load', () => {
    frame.contentDocument?.addEventListener('submit', (event) => {
      event.preventDefault();
      const { target, submitter } = event as SubmitEvent;
      const form = new FormData(target as HTMLFormElement, submitter);
      void fill(new URLSearchParams([...form].map(([name, value]) => [name, String(value)])).toString());
    });
  });
  await fill(null);
  document.documentElement.append(frame);
}
