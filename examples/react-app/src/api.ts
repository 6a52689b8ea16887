// The one way to the API. createClient waits, repeats and polls as sections 6 and 7 of the contract want it.
import { createClient } from 'casa-kit/api';

export const where = import.meta.env.VITE_API ?? 'mock';

// The server in front of this page puts its own key here; only a mock in the page needs one.
let key = 'added-by-the-server';

export function setKey(other: string): void {
  key = other;
}

export const api = createClient({ baseUrl: '/api/v1', key: () => key });
