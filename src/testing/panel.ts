// A panel for a page whose mock runs inside it: without a server, there is no dashboard.
import { App } from '../admin/client/app.ts';
import { createControlPlane } from '../admin/client/control-plane.ts';
import { mountPanel } from '../admin/client/panel.tsx';
import { style } from '../admin/generated/panel-style.ts';
import type { Casa } from './casa.ts';

/** How the panel starts. */
export interface CasaPanelOptions {
  /** Whether it is open at once; a small button when absent. */
  readonly open?: boolean | undefined;
}

/**
 * Shows a panel in the corner of the page: the clock, faults, calls, accounts and violations of a mock from
 * `createMock`. Returns a function that removes it. Outside a page it does nothing.
 *
 * The panel is in a shadow root with a separate style sheet, so the styles of the page and of the panel stay separate,
 * also with a strict content security policy.
 *
 * @example
 * const casa = await createMock({ clock: 'running', limits: true });
 * await setupWorker(...casaHandlers(casa)).start();
 * showCasaPanel(casa);
 */
export function showCasaPanel(casa: Casa, options: CasaPanelOptions = {}): () => void {
  const canDraw = typeof document !== 'undefined' && 'adoptedStyleSheets' in document;
  if (!canDraw) return () => {};
  const host = document.createElement('casa-panel');
  const place = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  place.adoptedStyleSheets = [sheet];
  // Input in the panel must not trigger shortcuts of the page.
  for (const type of ['keydown', 'keyup', 'keypress']) host.addEventListener(type, (event) => event.stopPropagation());
  document.body.append(host);
  const plane = createControlPlane((path, init) => casa.fetch(`${casa.origin}${path}`, init));
  const app = new App(plane, { hasRequestLog: false });
  const unmount = mountPanel(place, app, options.open ?? false);
  void app.start();
  return () => {
    app.stop();
    unmount();
    host.remove();
  };
}
