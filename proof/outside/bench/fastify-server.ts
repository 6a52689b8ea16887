// Fastify as in its documentation: the two routes with a schema for the body and for the response, a check of the key,
// and no limiter. The articles are objects, as in an application.
import { readFileSync } from 'node:fs';
import fastify from 'fastify';

const [portText = '0', bodiesFile = '', key = ''] = process.argv.slice(2);
const { get, post } = JSON.parse(readFileSync(bodiesFile, 'utf8')) as { get: string; post: string };
const list = JSON.parse(get) as object;
const posted = JSON.parse(post) as object;

const app = fastify();
app.addHook('onRequest', ({ headers }, reply, done) => {
  if (headers.authorization === `Bearer ${key}`) done();
  else reply.code(401).send({ error: { code: 'unauthorized', message: 'The API key is not valid.' } });
});
const textField = { type: 'string', minLength: 1, maxLength: 5000 };
const body = {
  type: 'object',
  required: ['text'],
  properties: { text: textField, link: { type: 'string', format: 'uri' } },
};
app.get('/api/v1/articles', {}, () => list);
app.post('/api/v1/connect/accounts/:accountId/posts', { schema: { body } }, () => posted);
await app.listen({ port: Number(portText), host: '127.0.0.1' });
