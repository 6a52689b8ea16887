// openapi-backend on Express, as its readme shows it: requests validated against the document, answers from its
// examples.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [portText = '0', installed = '', documentFile = ''] = process.argv.slice(2);
const load = createRequire(join(installed, 'index.js'));
// biome-ignore lint/suspicious/noExplicitAny: it is installed beside the project, so the compiler knows nothing of it.
type Unknown = any;

const { OpenAPIBackend }: Unknown = load('openapi-backend');
const express: Unknown = load('express');
const api = new OpenAPIBackend({
  definition: JSON.parse(readFileSync(documentFile, 'utf8')),
  apiRoot: '/api/v1',
  quick: true,
});
api.register({
  validationFail: (context: Unknown, _request: Unknown, response: Unknown) =>
    response.status(400).json({ error: { code: 'invalid_input', message: 'No.', issues: context.validation.errors } }),
  notFound: (_context: Unknown, _request: Unknown, response: Unknown) =>
    response.status(404).json({ error: 'not found' }),
  notImplemented: (context: Unknown, _request: Unknown, response: Unknown) => {
    const { status, mock } = context.api.mockResponseForOperation(context.operation.operationId);
    response.status(status).json(mock);
  },
});
api.registerSecurityHandler('apiKey', () => true);
await api.init();
const app = express();
app.use(express.json());
app.use((request: Unknown, response: Unknown) => api.handleRequest(request, request, response));
app.listen(Number(portText), '127.0.0.1');
