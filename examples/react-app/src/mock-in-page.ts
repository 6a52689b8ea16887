// The mock without a server: it responds in this page, and a panel in the corner steers it.
import { createMock } from 'casa-kit';
import { casaHandlers } from 'casa-kit/msw';
import { showCasaPanel } from 'casa-kit/panel';
import { setupWorker } from 'msw/browser';
import { setKey } from './api.ts';

export async function startMockInPage(): Promise<void> {
  const casa = await createMock({ baseUrl: `${location.origin}/api/v1`, clock: 'running', limits: true });
  setKey(casa.keys.good);
  await setupWorker(...casaHandlers(casa)).start({ quiet: true, onUnhandledFrame: 'bypass' });
  showCasaPanel(casa);
}
