// Whether a port speaks TLS: asked only where plain HTTP got no answer, to tell the user of a base URL with the wrong
// scheme.
import * as tls from 'node:tls';

const TIMEOUT_MS = 3000;

/** Never rejects; false also when the port says nothing for three seconds. */
export function speaksTls({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    // Only whether there is a handshake matters here; nothing is sent, so nobody has to be trusted.
    const socket = tls.connect({ host, port: Number(port) || 80, rejectUnauthorized: false, timeout: TIMEOUT_MS });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
    socket.once('close', () => end(false));
  });
}
