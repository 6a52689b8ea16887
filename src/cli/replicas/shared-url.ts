// `--shared redis://host:6379/NAME`: where the log is, and what it is called there.
import { UsageError } from '../../terminal/usage-error.ts';

export interface SharedUrl {
  /** For the client: without the name, with the password. */
  readonly server: string;
  readonly name: string;
  /** For people: without the password. */
  readonly shown: string;
}

/** A name may stand in keys of Redis and on command lines. */
const nameForm = /^[\w.-]{1,100}$/;

export function readSharedUrl(text: string): SharedUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  const name = url?.pathname.slice(1) ?? '';
  if (!url || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || !nameForm.test(name)) {
    throw new UsageError('--shared takes an address with a name for the log, such as redis://localhost:6379/team-a.');
  }
  const server = new URL(url);
  server.pathname = '';
  return { server: server.href, name, shown: `${url.protocol}//${url.host}/${name}` };
}
