// The dashboard in the browser. `npm run generate` bundles it into ../generated/dashboard-page.ts.
import { render } from 'preact';
import { App } from './app.ts';
import { createControlPlane, networkSender } from './control-plane.ts';
import { Frame } from './frame.tsx';
import { AppContext } from './use-app.ts';

const { send, rememberToken, hasToken } = networkSender();
const app = new App(createControlPlane(send), { hasToken });

function logIn(token: string): void {
  rememberToken(token);
  app.start();
}

const place = document.getElementById('app');
if (place) {
  render(
    <AppContext.Provider value={app}>
      <Frame logIn={logIn} />
    </AppContext.Provider>,
    place,
  );
  app.start();
}
