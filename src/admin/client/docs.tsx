// The API reference in the browser. `npm run generate` bundles it into ../generated/docs-page.ts.
import { render } from 'preact';
import { apiDocument } from '../../contract/generated/document.ts';
import { App } from './app.ts';
import { createControlPlane, networkSender } from './control-plane.ts';
import { readOperations } from './reference.ts';
import { ReferencePage } from './reference-page.tsx';
import type { Health } from './responses.ts';
import { AppContext } from './use-app.ts';

const app = new App(createControlPlane(networkSender().send));
const operations = readOperations(JSON.parse(apiDocument));

/** Keys and accounts to try with. The reference can be read without them. */
async function loadKeys(): Promise<void> {
  app.set({ health: await app.ask<Health>('GET', '/health') });
  await app.loadList('organizations');
}

const place = document.getElementById('app');
if (place) {
  render(
    <AppContext.Provider value={app}>
      <ReferencePage operations={operations} />
    </AppContext.Provider>,
    place,
  );
  loadKeys().catch(() => {});
}
