// The handles of a `Casa` that are control verbs, for a mock in this process and for one in another.
import type { AdminAsk, HttpResponse } from '../admin/reply.ts';
import { pathShape, requestOf, type VerbRow } from '../admin/verb.ts';
import { type VerbId, verbs } from '../admin/verbs/index.ts';
import type { Casa } from './casa.ts';
import { check } from './check-options.ts';

/** The response to a verb, or a part of it. `name` is the handle in error messages. */
// biome-ignore lint/suspicious/noExplicitAny: the type of a response is that of the handle, which may be a promise.
export type VerbCall = (name: string, id: VerbId, values?: object, pick?: (body: any) => unknown) => any;

interface Target {
  /** Of the same kind as the handles: a promise for a mock in another process. */
  readonly ask: (request: AdminAsk) => HttpResponse | Promise<HttpResponse>;
  readonly origin: string;
  /** For verbs that have one, unless the caller names another. */
  readonly organizationId?: string | undefined;
}

/** Calls verbs. Values of another form, and rejections of the mock, throw a `RangeError`. */
export function verbCaller({ ask, origin, organizationId }: Target): VerbCall {
  return (name, id, given = {}, pick = (body) => body) => {
    const row: VerbRow = verbs[id];
    const shape = { ...pathShape(row), ...row.input };
    const own = Object.hasOwn(shape, 'organizationId') && organizationId !== undefined ? { organizationId } : {};
    const values = { ...own, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
    check(`casa.${name}`, values, shape);
    const request = requestOf(row, values);
    const sent = `${request.method} ${request.path}`;
    const finish = (response: HttpResponse) => pick(bodyOf(response, { name, sent, origin }));
    const response = ask(request);
    return response instanceof Promise ? response.then(finish) : finish(response);
  };
}

function bodyOf({ status, body }: HttpResponse, { name, sent, origin }: Readonly<Record<string, string>>): unknown {
  if (status < 300) return body;
  const { error } = (body ?? {}) as { readonly error?: { readonly message?: string } };
  if (status === 401) throw new Error(`The mock at ${origin} needs its admin token. Pass adminToken to connectMock.`);
  const message = error?.message ?? `${origin} is not a casa mock: ${sent} returned ${status}.`;
  const isOurs = [400, 404, 409].includes(status) && error?.message !== undefined;
  throw isOurs ? new RangeError(`casa.${name}: ${message}`) : new Error(message);
}

/** As those of a `Casa`; for a caller with promises, they return promises. */
export function verbHandles(
  call: VerbCall,
): Pick<Casa, 'calls' | 'reviews' | 'articles' | 'accounts' | 'organizations'> {
  return {
    calls: { ring: (wishes) => call('calls.ring', 'ringCall', wishes, ({ call: rung }) => rung) },
    reviews: {
      arrive: (wishes) =>
        call('reviews.arrive', wishes?.accountId === undefined ? 'addReviewAnywhere' : 'addReview', wishes),
    },
    articles: {
      publish: (articleId, where) => call('articles.publish', 'publishArticle', { ...where, articleId }),
      put: (wishes) => call('articles.put', 'putArticle', wishes),
    },
    accounts: {
      set: (accountId, state) => call('accounts.set', 'putAccount', { ...state, accountId }, () => undefined),
    },
    organizations: {
      add: (options) => call('organizations.add', 'addOrganization', options, ({ id, key }) => ({ id, key })),
    },
  };
}
