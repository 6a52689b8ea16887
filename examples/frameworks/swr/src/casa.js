import { createClient } from 'casa-kit/api';

// SWR retries instead of the client. The server of this page replaces the key.
export const casa = createClient({ baseUrl: '/api/v1', key: 'added-by-the-server', retries: 0 });

export const config = {
  shouldRetryOnError: ({ status }) => [429, 502, 503].includes(status),
  onErrorRetry: ({ retryAfterMs }, _key, _config, revalidate, { retryCount }) => {
    if (retryCount > 3) return;
    setTimeout(revalidate, retryAfterMs ?? 1000 * 2 ** retryCount, { retryCount });
  },
};
