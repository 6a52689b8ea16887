// HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, as curl reads them. This machine is never reached through a proxy.
import { percentDecoded } from '../../../src/contract/percent.ts';
import { UsageError } from '../../../src/terminal/usage-error.ts';
import { isLoopback } from '../../exchange/request.ts';

export interface Proxy {
  /** The variable that names it, and where it is, for a person. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Lower-case names come first, as in curl. */
type Env = Readonly<Record<string, string | undefined>>;

/** Throws a UsageError when the environment names a proxy of a kind that the kit cannot use. */
export function findProxy(url: URL, env: Env): Proxy | null {
  const read = (name: string) => env[name.toLowerCase()] ?? env[name];
  const variable = [url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', 'ALL_PROXY'].find(read);
  const setting = variable === undefined ? undefined : read(variable);
  if (!variable || !setting || isLoopback(url.hostname) || isExempt(url, read('NO_PROXY') ?? '')) return null;
  const written = setting.includes('://') ? setting : `http://${setting}`;
  const proxy = URL.canParse(written) ? new URL(written) : null;
  if (proxy === null || !/^https?:$/.test(proxy.protocol)) throw new UsageError(unusable(variable, written, url));
  const credentials = `${percentDecoded(proxy.username)}:${percentDecoded(proxy.password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return {
    name: `${variable} (${proxy.host})`,
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: Number(proxy.port) || 80,
    headers: proxy.username === '' ? {} : { 'proxy-authorization': authorization },
  };
}

/** Says both ways out: another proxy, or none. */
function unusable(variable: string, setting: string, { host }: URL): string {
  const scheme = setting.split('://')[0];
  const way = `set an http:// proxy, or bypass the proxy with NO_PROXY=${host}`;
  return `${variable} names a ${scheme}:// proxy, and casa-kit supports HTTP proxies only: ${way}.`;
}

/** Entries are host names, with or without a leading dot and a port; `*` means every host. */
function isExempt(url: URL, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [name = '', port] = entry.replace(/^\*?\./, '').split(':');
      if (port !== undefined && port !== url.port) return false;
      return url.hostname === name || url.hostname.endsWith(`.${name}`);
    });
}
