// HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, as curl reads them. This machine is never reached through a proxy.

export interface Proxy {
  readonly host: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

type Env = Readonly<Record<string, string | undefined>>;

export function findProxy(url: URL, env: Env): Proxy | null {
  const read = (name: string) => env[name.toLowerCase()] ?? env[name.toUpperCase()];
  const setting = read(url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? read('all_proxy');
  if (!setting || isLoopback(url.hostname) || isExempt(url, read('no_proxy') ?? '')) return null;
  const proxy = new URL(setting.includes('://') ? setting : `http://${setting}`);
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return {
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: Number(proxy.port) || 80,
    headers: proxy.username === '' ? {} : { 'proxy-authorization': authorization },
  };
}

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

export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
