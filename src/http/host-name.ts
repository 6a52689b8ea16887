// Names that nobody far off can point at this machine. A name of a domain can be pointed anywhere by whoever owns it, an
// address cannot: the one guard against pages that rebind their own name to a server on this machine.

/** Whether a host, with its port or without, is loopback, an IP address, or one of the known names. */
export function isTrustedHost(host: string, known: readonly string[] = []): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  const isAddress = /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name);
  return isAddress || name === 'localhost' || name.endsWith('.localhost') || known.includes(name);
}
