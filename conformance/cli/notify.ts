// `--notify [KIND=]URL`: one POST when something changed since the run before.
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Trend } from '../report/history.ts';
import { isNews, type NoticeForm, noticeForms, renderNotice } from '../reporters/notice.ts';
import { openWire } from '../wire/http.ts';
import { notifyVariable, type ParsedFlags } from './flags.ts';
import type { Env } from './options.ts';

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64_000;

/** Where a notice goes, and in which form. */
export interface Receiver {
  readonly form: NoticeForm;
  readonly url: URL;
}

/** Throws a UsageError for an address of no use, and without a history, which is what tells a change. */
export function readReceivers(flags: ParsedFlags, environment: Env): Receiver[] {
  const named = environment[notifyVariable]?.trim();
  const given = flags.notify ?? (named ? named.split(/\s+/) : []);
  if (given.length > 0 && flags.history === undefined) {
    if (flags.notify === undefined) return [];
    throw new UsageError('--notify tells of a change since the run before: give --history DIR as well.');
  }
  return given.map(readReceiver);
}

/** The address is never quoted: it opens a channel. */
function readReceiver(text: string): Receiver {
  const [, kind = 'json', address = ''] = /^(?:([a-z]+)=)?(.*)$/s.exec(text) ?? [];
  const form = noticeForms.find((known) => known === kind);
  if (form === undefined) {
    const hint = didYouMean(kind, noticeForms, (name) => name);
    throw new UsageError(`--notify: there is no notice of kind "${kind}", only ${noticeForms.join(' and ')}.${hint}`);
  }
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new UsageError('--notify takes URL, json=URL or slack=URL, and this is no http or https address.');
  return { form, url };
}

/** One sentence for each notice that did not arrive; they change no exit code, because the verdict stands. */
export async function notify(trend: Trend, receivers: readonly Receiver[], environment: Env): Promise<string[]> {
  if (!isNews(trend)) return [];
  const wire = openWire({ timeoutMs: TIMEOUT_MS, bodyBytesMax: ANSWER_BYTES_MAX, env: environment });
  try {
    const sent = receivers.map(async ({ form, url }) => {
      const { status, problem } = await wire.send({
        method: 'POST',
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        headers: { 'content-type': 'application/json', 'user-agent': 'casa-kit' },
        body: new TextEncoder().encode(renderNotice(trend, form)),
        address: null,
      });
      if (status >= 200 && status < 300) return [];
      const why = status === 0 ? problem : `status ${status}`;
      return [`The notice did not reach ${url.host} (${why}); the result stands.`];
    });
    return (await Promise.all(sent)).flat();
  } finally {
    wire.close();
  }
}
