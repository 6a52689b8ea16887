import { mutantsNeeding, mutantsOf } from './hooks/mutant.ts';
import { onBody, onRejection, onRequest, onSuccess, onSuccessResponse, restatus } from './hooks/recipes.ts';
import { add, asCrash, change, isObject, type Json, readJson, withBody, withStatus } from './hooks/rewrite.ts';

const operation = 'createConnectLink';
const isMissing = (value: Json | undefined): value is undefined => value === undefined;

const providers = mutantsOf({
  '2.connect-account-input.provider': {
    'link-provider-case-ignored': [
      'A link for a provider in capitals, such as "FACEBOOK_PAGE", is created.',
      onBody(operation, (body) =>
        typeof body.provider === 'string' ? { ...body, provider: body.provider.toLowerCase() } : body,
      ),
      { needs: 'writes' },
    ],
    'link-provider-optional': [
      'POST /connect/accounts without `provider` creates a link.',
      onBody(operation, (body) => (isMissing(body.provider) ? { ...body, provider: 'google_business' } : body)),
      { needs: 'writes' },
    ],
  },
});

const counts = mutantsOf({
  '2.connect-account-input.provider': {
    'link-provider-calendar-refused': [
      'A link for `google_calendar` is rejected as if the list had no such provider.',
      onBody(operation, (body) => (body.provider === 'google_calendar' ? { ...body, provider: 'calendar' } : body)),
      { needs: 'writes' },
    ],
  },
  '2.connect-account-input.max-accounts-default': {
    'link-max-accounts-defaults-to-20': [
      'A link made without `maxAccounts` is in the pending invites with `maxAccounts` 20.',
      onBody(operation, (body) => (isMissing(body.maxAccounts) ? { ...body, maxAccounts: 20 } : body)),
      { needs: 'writes' },
    ],
  },
});

const bodies = mutantsOf({
  '4.connect.create-link.body': {
    'link-without-body': [
      'POST /connect/accounts without a body creates a link.',
      onRequest(operation, ({ request }) =>
        (request.body?.length ?? 0) === 0
          ? withBody(request, { provider: 'google_business', label: 'Account' })
          : request,
      ),
      { needs: 'writes' },
    ],
    'link-of-any-object': [
      'POST /connect/accounts creates a link from any object, with any fields.',
      onBody(operation, () => ({ provider: 'google_business', label: 'Account' })),
    ],
    'link-body-in-array': [
      'POST /connect/accounts with an array of one ConnectAccountInput creates a link.',
      onRequest(operation, ({ request }) => {
        const body = readJson(request.body);
        return Array.isArray(body) && body[0] !== undefined ? withBody(request, body[0]) : request;
      }),
      { needs: 'writes' },
    ],
  },
  '4.connect.create-link.invalid': {
    'link-invalid-json-500': [
      'POST /connect/accounts with a body that is not JSON returns 500.',
      onRejection({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
        readJson(request.body) === undefined ? asCrash(response, 'Unexpected token') : response,
      ),
    ],
    'link-invalid-utf-8-500': [
      'POST /connect/accounts with bytes that are not UTF-8 returns 500.',
      onRejection({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
        request.body !== null && new TextDecoder().decode(request.body).includes('�')
          ? asCrash(response, 'invalid byte sequence for encoding "UTF8"')
          : response,
      ),
    ],
    'link-deep-body-500': [
      'POST /connect/accounts with a thousand nested arrays returns 500.',
      onRejection({ which: operation, code: 'invalid_input' }, (response, _error, { request }) =>
        request.body !== null && new TextDecoder().decode(request.body).includes('['.repeat(500))
          ? asCrash(response, 'Maximum call stack size exceeded')
          : response,
      ),
    ],
    'link-invalid-422': [
      'A body that is not a ConnectAccountInput returns 422.',
      restatus({ which: operation, code: 'invalid_input' }, 422),
    ],
    'link-refused-yet-created': [
      'A body that is not a ConnectAccountInput returns 400, and yet a pending invite appears.',
      onRejection(
        { which: operation, code: 'invalid_input' },
        (response, _error, { request, organization, context }) => {
          const body = { provider: 'google_business', label: 'Untitled' };
          if (organization && isObject(readJson(request.body)))
            context.responseAs(organization, withBody(request, body));
          return response;
        },
      ),
      { needs: 'writes' },
    ],
  },
});

const outputs = mutantsNeeding('writes', {
  '2.connect-account-output.closed': {
    'link-output-extra-id': [
      '`data` of a new link has a field `id` that is not listed.',
      onSuccess(operation, add('data', { id: 'lnk_1' })),
    ],
  },
  '4.connect.create-link.endpoint': {
    'link-data-in-array': [
      '`data` of a new link is an array with one ConnectAccountOutput.',
      onSuccess(
        operation,
        change('data', (data) => [data]),
      ),
    ],
  },
});

const effects = mutantsNeeding('writes', {
  '4.connect.envelope': {
    'link-created-201': [
      'A new link returns 201 instead of 200.',
      onSuccessResponse(operation, (response) => withStatus(response, 201)),
    ],
  },
  '3.link.single-use': {
    'link-shared-by-all': [
      'Two links, made for two labels, have one and the same `connectUrl`.',
      (next, context) => {
        let first: Json | null = null;
        return onSuccess(
          operation,
          change('data.connectUrl', (url) => {
            first ??= url;
            return first;
          }),
        )(next, context);
      },
      { result: 'warn' },
    ],
  },
});

export const linkMutants = [...providers, ...counts, ...bodies, ...outputs, ...effects];
