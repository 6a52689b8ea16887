// API keys never leave through the journal: of each, the last four characters stay, which is enough to tell them apart.

/** A short prefix, an underscore and 32 hexadecimal characters, wherever they stand. Cites 5.key-form. */
const keyForm = /\b([a-z][a-z0-9]{0,11})_[0-9a-f]{28}([0-9a-f]{4})(?![0-9a-f])/gi;

export function redactKeys(text: string): string {
  return text.includes('_') ? text.replace(keyForm, '$1_…$2') : text;
}

export function redactKey(key: string): string {
  const redacted = redactKeys(key);
  return redacted === key ? `…${key.slice(-4)}` : redacted;
}

/** A header as the journal shows it: schemes stay, credentials go. */
export function redactHeader(name: string, value: string): string {
  if (name === 'authorization' || name === 'proxy-authorization') {
    const [scheme = '', ...rest] = value.split(' ');
    const credential = rest.join(' ').trim();
    return credential === '' ? '…' : `${scheme} ${redactKey(credential)}`;
  }
  if (name === 'cookie' || name === 'set-cookie' || name === 'x-casa-admin-token') return '…';
  return redactKeys(value);
}
