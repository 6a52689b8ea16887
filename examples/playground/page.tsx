// The playground: the mock runs in this page. `npm run playground` builds it.
import { render } from 'preact';
import { App } from '../../src/admin/client/app.ts';
import { createControlPlane } from '../../src/admin/client/control-plane.ts';
import { Frame } from '../../src/admin/client/frame.tsx';
import { AppContext } from '../../src/admin/client/use-app.ts';
import { createMock } from '../../src/testing/create-mock.ts';
import { type PlaygroundState, readState, specOf, writeState } from './state.ts';

const worlds = ['default', 'empty', 'tied-articles', 'unpaid'];
const state = readState(location.search);

/** Starts again with another world or defect: both are of the start of a mock. */
function change(patch: Partial<PlaygroundState>): void {
  location.assign(location.pathname + writeState({ ...state, ...patch }) + location.hash);
}

/** Requests of the page to the mock's paths stay in the page. */
const ownPaths = /^\/(api\/v1|__admin|connect|mcp|openapi\.json)(\/|$)/;

async function start(): Promise<void> {
  const options = { world: state.world as 'default' | undefined, mutant: state.mutant };
  const casa = await createMock({
    ...options,
    baseUrl: `${location.origin}/api/v1`,
    clock: 'running',
    limits: state.limits,
  });
  for (const fault of state.faults) casa.faults.add(fault);
  const overNetwork = globalThis.fetch.bind(globalThis);
  globalThis.fetch = (input, init) => {
    const { origin, pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    return origin === location.origin && ownPaths.test(pathname) ? casa.fetch(input, init) : overNetwork(input, init);
  };
  const app = new App(
    createControlPlane((path, init) => casa.fetch(`${casa.origin}${path}`, init)),
    { hasServer: false },
  );
  app.subscribe(() => {
    const faults = app.state.faults.flatMap((fault) => specOf(fault) ?? []);
    const url = location.pathname + writeState({ ...state, faults }) + location.hash;
    if (app.state.connection.kind === 'live') history.replaceState(null, '', url);
  });
  await showView(app);
}

async function showView(app: App): Promise<void> {
  const place = document.getElementById('app') as HTMLElement;
  if (state.view === 'report') {
    const { testMock } = await import('./suite.ts');
    const showProgress = (requests: number) => place.replaceChildren(`Testing this mock: ${requests} requests`);
    const report = await testMock(state, showProgress);
    render(<iframe id="report" title="Report" sandbox="allow-scripts" srcdoc={report} />, place);
    return;
  }
  if (state.view === 'reference') {
    const { showReference } = await import('./reference.tsx');
    showReference(app, place);
    return;
  }
  render(
    <AppContext.Provider value={app}>
      <Frame logIn={() => undefined} />
    </AppContext.Provider>,
    place,
  );
  void app.start();
}

function Bar({ mutants }: { mutants: readonly string[] }) {
  return (
    <>
      <strong>casa-kit playground</strong>
      <label>
        Data
        <select onChange={(event) => change({ world: event.currentTarget.value })}>
          {worlds.map((name) => (
            <option key={name} selected={name === (state.world ?? 'default')}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Defect
        <select id="mutant" onChange={(event) => change({ mutant: event.currentTarget.value })}>
          <option value="">none</option>
          {mutants.map((name) => (
            <option key={name} selected={name === state.mutant}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <input type="checkbox" checked={state.limits} onChange={() => change({ limits: !state.limits })} /> Rate limits
      </label>
      {(['dashboard', 'reference', 'report'] as const).map((view) => (
        <button
          key={view}
          type="button"
          class={view === 'report' ? 'primary' : ''}
          aria-pressed={view === state.view}
          onClick={() => change({ view })}
        >
          {{ dashboard: 'Dashboard', reference: 'API reference', report: 'Test this mock' }[view]}
        </button>
      ))}
    </>
  );
}

/** Dashboard and reference link to each other: both are views of this page. */
document.addEventListener('click', (event) => {
  const path = (event.target as Element).closest?.('a')?.getAttribute('href') ?? '';
  if (!/\/__admin(\/docs)?$/.test(path)) return;
  event.preventDefault();
  change({ view: path.endsWith('/docs') ? 'reference' : 'dashboard' });
});

const bar = document.getElementById('bar') as HTMLElement;
render(<Bar mutants={state.mutant ? [state.mutant] : []} />, bar);
start().catch((error: unknown) => {
  const place = document.getElementById('app') as HTMLElement;
  place.replaceChildren(`The mock cannot start: ${error instanceof Error ? error.message : error}`);
});
// The list of mutants is long, so it is loaded when the bar gets the focus.
bar.addEventListener(
  'focusin',
  async () => {
    const { mutants } = await import('../../src/mutants/index.ts');
    render(<Bar mutants={mutants.filter(({ needs = [] }) => needs.length === 0).map(({ name }) => name)} />, bar);
  },
  { once: true },
);
