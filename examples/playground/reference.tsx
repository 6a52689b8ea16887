// The API reference, loaded when it is opened.
import { render } from 'preact';
import type { App } from '../../src/admin/client/app.ts';
import { readOperations } from '../../src/admin/client/reference.ts';
import { ReferencePage } from '../../src/admin/client/reference-page.tsx';
import { AppContext } from '../../src/admin/client/use-app.ts';
import { apiDocument } from '../../src/contract/generated/document.ts';

export function showReference(app: App, place: HTMLElement): void {
  const page = <ReferencePage operations={readOperations(JSON.parse(apiDocument))} />;
  render(<AppContext.Provider value={app}>{page}</AppContext.Provider>, place);
  void app.start();
}
