import { createClient } from 'casa-kit/api';
import { onScopeDispose, shallowRef } from 'vue';

// The client retries. The server of this page replaces the key.
const casa = createClient({ baseUrl: '/api/v1', key: 'added-by-the-server' });

export function useCasa(read) {
  const [data, error, stop] = [shallowRef(null), shallowRef(null), new AbortController()];
  onScopeDispose(() => stop.abort());
  read(casa, { signal: stop.signal }).then(
    (found) => {
      data.value = found.data;
    },
    (failure) => {
      error.value = failure;
    },
  );
  return { data, error };
}
