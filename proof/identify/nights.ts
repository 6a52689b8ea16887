// Nights of a deployment: quiet ones, some with a cause that is not drift, some with a legal or an illegal change. Each
// is one `conformance calibrate --check` with the profile of the first day.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformance } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { ofMockAlone, sharedMutant } from '../../fixtures/test-kit/shared-mutants.ts';
import { startIndependentTarget } from '../../fixtures/test-kit/targets.ts';
import { createRandom } from '../../src/domain/random.ts';
import { mutants } from '../../src/mutants/index.ts';
import type { IndependentOptions, PlainReply, Variant } from '../independent/index.ts';
import { namedVariants, startIndependent } from '../independent/index.ts';

/** The deployments. The others of the second implementation have too little data for a profile. */
export const deployments = ['plain', 'frugal', 'lavish', 'strict', 'mixed', 'offsets', 'basic', 'unpaid'] as const;

type Deployment = (typeof deployments)[number];

/** The truth about a night, which the sentences of the command must name. */
export interface Night {
  readonly kind: 'quiet' | 'cause' | 'legal' | 'illegal';
  readonly truth: string;
  readonly variant?: Partial<Variant>;
  readonly around?: IndependentOptions['around'];
  readonly sizes?: IndependentOptions['sizes'];
  readonly skewMs?: number;
  readonly isRevoked?: boolean;
  readonly isDown?: boolean;
}

export interface NightRow {
  readonly deployment: string;
  readonly kind: Night['kind'];
  readonly truth: string;
  readonly isRight: boolean;
  /** A run of all checks misses it too: for example, a deployment without metrics cannot break them. */
  readonly isHidden: boolean;
  readonly output: string;
}

const variants: Readonly<Record<string, Partial<Variant>>> = namedVariants;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const page = (status: number, title: string): PlainReply => ({
  status,
  headers: { 'Content-Type': 'text/html' },
  bytes: bytesOf(`<!doctype html><html><head><title>${title}</title></head><body></body></html>`),
});
const always = (reply: PlainReply) => () => () => reply;

const causes: readonly Night[] = (
  [
    { truth: 'key-revoked', isRevoked: true },
    {
      truth: 'plan-lapsed',
      variant: { paymentStopped: true },
      around: (server) => (request) => {
        const reply = server.reply(request);
        const account = /^.*\/connect\/accounts\/[^/]+/.exec(request.url)?.[0];
        if (reply.status !== 200 || account === undefined || request.method !== 'GET') return reply;
        // The rejection of a write, in the words of the deployment.
        const headers = { ...request.headers, 'content-type': 'application/json' };
        const body = bytesOf(JSON.stringify({ text: 'Hello', accountId: account.split('/').at(-1) }));
        const unpaid = server.replyFreely({ ...request, headers, body, method: 'POST', url: `${account}/posts` });
        return { ...unpaid, headers: { ...reply.headers, ...unpaid.headers } };
      },
    },
    { truth: 'data-emptied', variant: { world: 'empty', calls: 'none' } },
    {
      truth: 'limits-used',
      around: (server) => (request) => {
        // Another client sends as much as it may, from another address.
        const other = { ...request, method: 'GET', url: '/api/v1/sites' };
        for (let sent = 0, status = 200; status === 200 && sent < 70; sent += 1)
          ({ status } = server.reply({ ...other, address: `10.0.0.${sent % 9}` }));
        return server.reply(request);
      },
    },
    { truth: 'maintenance', around: always(page(503, 'Down for maintenance')) },
    { truth: 'login', around: always(page(200, 'Sign in to Example')) },
    { truth: 'clock', skewMs: 26 * 3_600_000 },
    { truth: 'unreachable', isDown: true },
  ] satisfies Omit<Night, 'kind'>[]
).map((cause) => ({ kind: 'cause', ...cause }));

/** One field of a variant and the behavior that shows it. */
const legal: readonly [behavior: string, field: keyof Variant, values: readonly [unknown, unknown]][] = [
  ['articleOrder', 'articleOrder', ['oldest', 'newest']],
  ['malformedId', 'malformedId', [400, 404]],
  ['simpleBadCode', 'simpleBadCode', ['invalid_input', 'bad_request']],
  ['badSince', 'badSince', ['reject', 'ignore']],
  ['unknownSite', 'unknownKeywordSite', ['empty', 'missing']],
  ['badArticleCursor', 'badCursor', ['ignore', 'reject']],
  ['rateHeaders', 'rateHeaders', ['blocked', 'always']],
  ['callSummary', 'callSummary', [false, true]],
  ['snapshotCursor', 'snapshotCursor', ['string', 'null']],
  ['idCase', 'idCase', ['lower', 'upper']],
  ['challenge', 'challenge', [false, true]],
  ['errorMessages', 'messages', ['plain', 'empty']],
  ['contentType', 'contentType', ['application/json', 'application/json; charset=utf-8']],
  ['timestampForm', 'timeFormat', ['zero', 'seconds']],
];

const visibleMutants = mutants.filter(({ name, needs = 'nothing', world, wrap, wrapMcp, result = 'fail' }) => {
  const isOfRest = wrapMcp === undefined || wrap !== undefined;
  return needs === 'nothing' && world === undefined && isOfRest && result === 'fail' && !ofMockAlone.has(name);
});

/** Thirty nights, drawn by the name of the deployment. */
function nightsOf(deployment: Deployment): Night[] {
  const random = createRandom([...deployment].reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), 7) >>> 0);
  const drawn = <Item>(from: readonly Item[], count: number): Item[] =>
    [...from]
      .map((item) => [random.next(), item] as const)
      .sort(([a], [b]) => a - b)
      .slice(0, count)
      .map(([, item]) => item);
  const own = variants[deployment] ?? {};
  // Where offsets are malformed, an ignored since would be read as another time (interpretation R67).
  const isLegal = ([, field]: (typeof legal)[number]) => field !== 'badSince' || own.sinceOffset !== 'reject';
  const changes = drawn(legal.filter(isLegal), 5).map(([truth, field, [one, other]]): Night => {
    const value = own[field] === other ? one : other;
    return { kind: 'legal', truth, variant: { [field]: value } };
  });
  const broken = drawn(visibleMutants, 4).map((mutant): Night => {
    const { around, sizes } = sharedMutant(mutant);
    return { kind: 'illegal', truth: mutant.name, ...(around ? { around } : {}), ...(sizes ? { sizes } : {}) };
  });
  const quiet = Array.from({ length: 13 }, (): Night => ({ kind: 'quiet', truth: 'none' }));
  return [...quiet, ...causes, ...changes, ...broken];
}

/** Runs the nights of a deployment with more flags, for example `--minutes 8`. */
export async function runNights(deployment: Deployment, flags: readonly string[] = []): Promise<NightRow[]> {
  const file = join(newFolder(), 'casa.profile.json');
  const first = await runNight(deployment, { kind: 'quiet', truth: 'none' }, { args: [], seed: 1 });
  writeFileSync(file, first.out);
  const rows: NightRow[] = [];
  for (const [index, night] of nightsOf(deployment).entries()) {
    const { kind, truth } = night;
    const check = (more: readonly string[]) =>
      runNight(deployment, night, { args: ['--check', file, ...more], seed: index + 2 });
    const { code, out, err } = await check(flags);
    const found = isRight(night, code, out);
    const whole = found || kind !== 'illegal' ? null : await check(['--minutes', '60']);
    const isHidden = whole !== null && !isRight(night, whole.code, whole.out);
    rows.push({ deployment, kind, truth, isRight: found, isHidden, output: `${out}${code > 1 ? err : ''}` });
  }
  return rows;
}

function isRight({ kind, truth }: Night, code: number, out: string): boolean {
  const cause = /^Cause: (.*)$/m.exec(out)?.[1];
  if (kind === 'quiet') return code === 0 && cause === 'none';
  if (kind === 'legal') return code === 1 && cause === 'drift' && out.includes(`(${truth}, R`);
  if (kind === 'illegal') return code === 1 && cause?.startsWith('violation') === true;
  // A clock that is wrong may change nothing that the profile has.
  if (truth === 'clock') return out.includes('Not drift: The clock of') && (cause === 'none' || cause === 'clock');
  return code > 1 && cause === truth && out.includes('Not drift: ');
}

async function runNight(
  deployment: string,
  { variant, around, sizes, skewMs = 0, isRevoked, isDown }: Night,
  { args, seed }: { args: readonly string[]; seed: number },
) {
  const named = { ...variants[deployment], ...variant };
  const given = { variant: named, ...(around && { around }), ...(sizes && { sizes }) };
  const life = variant?.world === 'empty' ? {} : { life: seed };
  const target = await startIndependentTarget(given, (options) =>
    startIndependent({ ...options, ...life, now: () => (options?.now?.() ?? 0) + skewMs }),
  );
  const { baseUrl, keys, clock } = target.options;
  if (isDown) await target.close();
  try {
    const key = (isRevoked ? keys.revoked : keys.good) ?? '';
    const argv = ['calibrate', '--base-url', baseUrl, ...args];
    return await conformance(argv, { CONFORMANCE_API_KEY: key }, clock);
  } finally {
    if (!isDown) await target.close();
  }
}
