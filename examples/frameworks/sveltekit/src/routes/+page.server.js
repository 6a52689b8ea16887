import { error } from '@sveltejs/kit';
import { casa } from '../lib/server/casa.js';

export async function load({ request }) {
  const api = casa(request);
  try {
    return { sites: (await api.listSites()).data };
  } catch ({ code, status }) {
    error(status || 502, code);
  }
}
