import { mutantsOf } from './hooks/mutants-of.ts';
import { onSuccessAnswer } from './hooks/recipes.ts';
import { withHeader } from './hooks/rewrite.ts';

const type = 'content-type';

export const jsonMutants = mutantsOf({
  '1.http-json': {
    'sites-with-guard-prefix': [
      'The body of GET /sites begins with a guard such as ")]}\'," and so is not JSON.',
      onSuccessAnswer('listSites', (response) => ({ ...response, body: `)]}',\n${String(response.body)}` })),
    ],
  },
  '4.json': {
    'accounts-as-html': [
      'GET /connect/accounts calls its JSON `text/html`.',
      onSuccessAnswer('listAccounts', (response) => withHeader(response, type, 'text/html; charset=utf-8')),
    ],
  },
});
