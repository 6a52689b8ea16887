// Why a server could not start, in one sentence.

/** Where a server was told to listen. */
export interface ListenTarget {
  readonly host: string;
  readonly port: number;
}

/**
 * A server that could not start: mostly a taken port, which is the user's to mend and so gets a sentence, not a stack.
 */
export class ListenError extends Error {
  /** The system's name of the failure, such as `EADDRINUSE`. */
  readonly code: string;

  constructor(cause: NodeJS.ErrnoException, target: ListenTarget) {
    const code = cause.code ?? 'UNKNOWN';
    super(describe(code, cause.message, target), { cause });
    this.name = 'ListenError';
    this.code = code;
  }
}

function describe(code: string, message: string, { host, port }: ListenTarget): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use; choose another port, or 0 for a free one.`;
    case 'EACCES':
      return `Port ${port} needs more rights than this user has; choose one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine; choose 127.0.0.1, or 0.0.0.0 for all of its addresses.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${message}.`;
  }
}
