import type { Visit, Wrongness } from '../seams.ts';
import type { Answer } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';

// A refusal that stays behind: a good request gets the answer of the bad one before it.

interface Stuck {
  readonly visit: Visit;
  readonly answer: Answer;
  readonly at: number;
}

interface Staying {
  /** The refusals that stay. */
  stays(answer: Answer, visit: Visit): boolean;
  /** The requests that get one. */
  hits(visit: Visit, stuck: Visit): boolean;
  /** For how long; for the one request that follows when absent. */
  lastsMs?: number;
  /** How many refusals it takes. */
  takes?: number;
}

function after({ stays, hits, lastsMs, takes = 1 }: Staying): () => Wrongness {
  return () => {
    let stuck: Stuck | undefined;
    let seen = 0;
    return {
      answer: (answer, { context, visit }) => {
        const before = stuck;
        const isOver = before !== undefined && lastsMs !== undefined && context.now() - before.at >= lastsMs;
        const isHit = before !== undefined && !isOver && hits(visit, before.visit);
        if (isOver || (isHit && lastsMs === undefined)) stuck = undefined;
        if (isHit) return before.answer;
        if (!stays(answer, visit)) return answer;
        seen += 1;
        if (seen >= takes) stuck = { visit, answer, at: context.now() };
        return answer;
      },
    };
  };
}

const FIVE_SECONDS = 5000;

function isAt(...names: readonly string[]): (visit: Visit) => boolean {
  return ({ segments }) => segments.length > names.length && names.every((name, index) => segments[index] === name);
}

function codeOf({ body }: Answer): unknown {
  return (body as { error?: { code?: unknown } } | undefined)?.error?.code;
}

/** All requests of one kind, whatever their ids and parameters. */
function sameRoute(visit: Visit, stuck: Visit): boolean {
  const last = stuck.segments.at(-1);
  const isById = stuck.segments.length === 2;
  return (
    visit.method === stuck.method &&
    visit.segments.length === stuck.segments.length &&
    visit.segments[0] === stuck.segments[0] &&
    (isById || visit.segments.at(-1) === last)
  );
}

function samePath(visit: Visit, stuck: Visit): boolean {
  return visit.method === stuck.method && visit.segments.join('/') === stuck.segments.join('/');
}

const cachedByRoute = (status: number, where: (visit: Visit) => boolean) =>
  after({ stays: (answer, visit) => answer.status === status && where(visit), hits: sameRoute, lastsMs: FIVE_SECONDS });

const cachedByPath = (status: number, where: (visit: Visit) => boolean) =>
  after({ stays: (answer, visit) => answer.status === status && where(visit), hits: samePath, lastsMs: FIVE_SECONDS });

export const afterRefusalMutants: MutantsByClause = {
  '4.articles.get.endpoint': {
    'article-missing-stays': {
      shows: 'For five seconds after a 404 for one article each article answers 404.',
      wrong: cachedByRoute(404, isAt('articles')),
    },
  },
  '4.articles.list.site-id': {
    'bad-page-stays': {
      shows: 'For five seconds after a 400 for bad parameters GET /articles answers it to every client.',
      variant: 'strict',
      wrong: after({
        stays: ({ status }, { segments }) => status === 400 && segments.join() === 'articles',
        hits: samePath,
        lastsMs: FIVE_SECONDS,
      }),
    },
  },
  '4.sites.get.endpoint': {
    'missing-follows-the-key': {
      shows: 'The request that follows a 404 gets the same 404, if it has the same key.',
      wrong: after({ stays: ({ status }) => status === 404, hits: (visit, stuck) => visit.key === stuck.key }),
    },
    'missing-follows-the-connection': {
      shows: 'The request that follows a 404 on its connection gets the same 404.',
      wrong: after({
        stays: ({ status }) => status === 404,
        hits: (visit, stuck) => visit.connection === stuck.connection,
      }),
    },
    'site-missing-stays': {
      shows: 'For five seconds after a 404 for one site each site answers 404.',
      wrong: cachedByRoute(404, isAt('sites')),
    },
  },
  '4.keywords.list.endpoint': {
    'bad-keywords-stay': {
      shows: 'For five seconds after a 400 GET /keywords answers it whatever the siteId is.',
      wrong: after({
        stays: ({ status }, { segments }) => status === 400 && segments[0] === 'keywords',
        hits: samePath,
        lastsMs: FIVE_SECONDS,
      }),
    },
  },
  '4.connect.insights.range': {
    'bad-range-stays': {
      shows: 'For five seconds after a bad range the insights of that account answer 400.',
      wrong: cachedByPath(400, ({ segments }) => segments[3] === 'insights'),
    },
    'insights-missing-stay': {
      shows: 'For five seconds after insights of an account that nobody has those of each account answer 404.',
      wrong: cachedByRoute(404, ({ segments }) => segments[3] === 'insights'),
    },
  },
  '4.connect.list-reviews.cursor': {
    'reviews-missing-stay': {
      shows: 'For five seconds after reviews of an account that nobody has those of each account answer 404.',
      wrong: cachedByRoute(404, ({ segments }) => segments[3] === 'reviews'),
    },
  },
  '4.connect.unknown-account': {
    'refusal-follows-the-key': {
      shows: 'The request that follows a 400 gets the same 400, if it has the same key.',
      wrong: after({ stays: ({ status }) => status === 400, hits: (visit, stuck) => visit.key === stuck.key }),
    },
    'refusal-follows-the-connection': {
      shows: 'The request that follows a 400 on its connection gets the same 400.',
      wrong: after({
        stays: ({ status }) => status === 400,
        hits: (visit, stuck) => visit.connection === stuck.connection,
      }),
    },
    'broken-body-stays': {
      shows: 'After a body that is not JSON the next POST to the same place is refused as broken as well.',
      wrong: after({
        stays: ({ status }, { method }) => status === 400 && method === 'POST',
        hits: ({ method }) => method === 'POST',
        lastsMs: FIVE_SECONDS,
      }),
      variant: 'strict',
    },
    'one-account-locks-all': {
      shows: 'For five seconds after provider_auth for one account each account of the organization answers it.',
      wrong: after({
        stays: (answer) => codeOf(answer) === 'provider_auth',
        hits: ({ segments }) => segments[1] === 'accounts' && segments.length > 3,
        lastsMs: FIVE_SECONDS,
      }),
    },
  },
  '4.articles.list.statuses': {
    'too-large-stays': {
      shows: 'After a body that is too large the next request with that key answers 413 as well.',
      needs: 'bursts',
      wrong: after({ stays: ({ status }) => status === 413, hits: (visit, stuck) => visit.key === stuck.key }),
    },
  },
  '7.code.unauthorized': {
    'address-locked-out': {
      shows: 'After eight requests without a good key an address is refused for a minute, with a good key too.',
      needs: 'bursts',
      wrong: after({
        stays: ({ status }, { known }) => status === 401 && !known,
        hits: (visit, stuck) => visit.address === stuck.address,
        lastsMs: 60_000,
        takes: 8,
      }),
    },
    'wrong-key-sticks-to-the-connection': {
      shows: 'A connection that has carried a wrong key answers 401 from then on.',
      needs: 'bursts',
      wrong: () => {
        const refused = new WeakMap<object, Answer>();
        return {
          answer: (answer, { visit: { connection, known } }) => {
            if (answer.status === 401 && !known) refused.set(connection, answer);
            return refused.get(connection) ?? answer;
          },
        };
      },
    },
    'wrong-key-locks-the-good-one': {
      shows: 'For a minute after a key that is nearly the good one, the good one is refused.',
      needs: 'bursts',
      wrong: after({
        stays: ({ status }, { known, key }) => status === 401 && !known && key !== undefined,
        hits: ({ known }) => known,
        lastsMs: 60_000,
      }),
    },
  },
  '4.calls.since': {
    'bad-limit-empties-the-log': {
      shows: 'The poll that follows one that answered 400 shows no calls, whatever its since is.',
      variant: 'strict',
      wrong: () => {
        let isNext = false;
        return {
          answer: (answer, { visit }) => {
            if (visit.segments[1] !== 'calls' || visit.door) return answer;
            const isHit = isNext && answer.status === 200;
            isNext = answer.status === 400 || (isNext && !isHit);
            return isHit ? { ...answer, body: { data: { calls: [], nextCursor: null } } } : answer;
          },
        };
      },
    },
    'bad-since-stays': {
      shows: 'For five seconds after a since that is none the call log answers 400.',
      wrong: cachedByPath(400, ({ segments }) => segments[1] === 'calls'),
    },
  },
  '8.body-rest': {
    'too-large-stays-with-posts': {
      shows: 'After a body that is too large every POST that would answer 400 or 404 answers 413.',
      needs: 'bursts',
      wrong: () => {
        let tooLarge: Answer | undefined;
        return {
          answer: (answer, { visit }) => {
            if (visit.method !== 'POST' || visit.door) return answer;
            if (answer.status === 413) tooLarge = answer;
            return answer.status === 400 || answer.status === 404 ? (tooLarge ?? answer) : answer;
          },
        };
      },
    },
  },
  '8.retry-after': {
    'blocked-longer-than-told': {
      shows: 'An address that was blocked is blocked for a minute for whoever has a good key, whatever it was told.',
      needs: 'bursts',
      wrong: () => {
        let blockedAt = Number.NEGATIVE_INFINITY;
        return {
          answer: (answer, { context, visit: { known } }) => {
            const at = context.now();
            if (answer.status === 429) blockedAt = Math.max(blockedAt, at);
            if (answer.status === 429 || !known || at - blockedAt >= 60_000) return answer;
            const told = {
              'X-RateLimit-Limit': '10',
              'X-RateLimit-Remaining': '0',
              'X-RateLimit-Reset': `${at + 1000}`,
            };
            return { status: 429, body: { error: 'rate_limit_exceeded' }, headers: { ...told, 'Retry-After': '1' } };
          },
        };
      },
    },
  },
  '7.code.invalid-input': {
    'behind-too-large-refused-as-invalid': {
      shows: 'After a body that is too large the next POST answers 400 invalid_input.',
      needs: 'bursts',
      wrong: () => {
        let isStuck = false;
        return {
          answer: (answer, { visit }) => {
            if (visit.method !== 'POST') return answer;
            const isHit = isStuck && answer.status !== 413;
            isStuck = answer.status === 413;
            const error = { code: 'invalid_input', message: '', issues: [{ path: '', message: 'is no JSON' }] };
            return isHit ? { status: 400, body: { error } } : answer;
          },
        };
      },
    },
  },
};
