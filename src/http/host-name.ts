// Names that outsiders cannot point at this machine. The owner of a domain can point its name anywhere, but not an
// address: this protects against DNS rebinding.

// Addresses of this machine and of private networks: loopback, link-local and the ranges that no public host has.
const privateV4 = /^(127|10|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3})+$/;
const privateV6 = /^\[(::1|f[cd][0-9a-f]{2}:[0-9a-f:.]*|fe[89ab][0-9a-f]:[0-9a-f:.]*)\]$/;

/** Names that the public DNS cannot give to anybody. */
function isNearby(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return (name.split('.').length === 4 && privateV4.test(name)) || privateV6.test(name);
}

/**
 * Whether a page comes from elsewhere: neither from this machine or its network, nor from one of the known names. An
 * opaque origin (`null`) can be from anywhere. Extensions and desktop applications have their own schemes, which web
 * pages cannot use.
 */
export function isForeignOrigin(origin: string, known: readonly string[] = []): boolean {
  const [, scheme, host = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(origin) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return false;
  const name = nameOf(host);
  return !isNearby(name) && !known.includes(name);
}

/** Whether a page was loaded from the requested host, under a name that outsiders cannot point here. */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  const name = origin.replace(/^https?:\/\//i, '').toLowerCase();
  return name === host?.toLowerCase() && isTrustedHost(name);
}

/** Whether a host, with its port or without, is loopback, an IP address, or one of the known names. */
export function isTrustedHost(host: string, known: readonly string[] = []): boolean {
  const name = nameOf(host);
  return isOwnHost(host, known) || /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name);
}

/** Whether a host, with its port or without, is loopback or one of the known names. */
export function isOwnHost(host: string, known: readonly string[] = []): boolean {
  const name = nameOf(host);
  const isLoopback = /^127(\.\d{1,3}){3}$/.test(name) || name === '[::1]';
  return isLoopback || name === 'localhost' || name.endsWith('.localhost') || known.includes(name);
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}
