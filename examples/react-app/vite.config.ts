// The one variable: VITE_API=mock (default), msw or staging. The page asks /api/v1 of its own origin in all three, so
// that no key of a real service gets into a bundle: this server adds it on the way.
import { msw } from 'msw/vite';
import { defineConfig, loadEnv } from 'vite';

const demoKey = 'casa_0123456789abcdef0123456789abcdef';

interface Target {
  readonly url: string;
  readonly key: string;
}

/** Where requests of the page go; null when the page responds to them itself. */
function readTarget(env: Record<string, string>): Target | null {
  const { VITE_API = 'mock', CASA_MOCK_URL = 'http://127.0.0.1:4010', CASA_STAGING_URL, CASA_STAGING_KEY } = env;
  if (VITE_API === 'msw') return null;
  if (VITE_API === 'mock') return { url: CASA_MOCK_URL, key: demoKey };
  if (VITE_API !== 'staging') throw new Error(`VITE_API is "${VITE_API}"; it must be mock, msw or staging.`);
  if (CASA_STAGING_URL && CASA_STAGING_KEY) return { url: CASA_STAGING_URL, key: CASA_STAGING_KEY };
  throw new Error('Staging needs CASA_STAGING_URL (without /api/v1) and CASA_STAGING_KEY, such as in .env.local.');
}

export default defineConfig(({ mode }) => {
  const target = readTarget(loadEnv(mode, import.meta.dirname, ''));
  const proxy = target && {
    '/api/v1': { target: target.url, changeOrigin: true, headers: { authorization: `Bearer ${target.key}` } },
  };
  // Without a target the page responds to itself, and needs the script of the service worker next to it.
  return proxy ? { server: { proxy } } : { plugins: [msw({ mode: 'worker-only' })] };
});
