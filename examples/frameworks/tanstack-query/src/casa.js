import { QueryClient } from '@tanstack/react-query';
import { createClient } from 'casa-kit/api';

// TanStack Query retries instead of the client. The server of this page replaces the key.
export const casa = createClient({ baseUrl: '/api/v1', key: 'added-by-the-server', retries: 0 });

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, { status }) => count < 3 && [429, 502, 503].includes(status),
      retryDelay: (count, { retryAfterMs }) => retryAfterMs ?? 1000 * 2 ** count,
    },
  },
});
