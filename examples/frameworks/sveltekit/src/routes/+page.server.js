import { error } from '@sveltejs/kit';
import { casa } from '../lib/server/casa.js';

export async function load({ request }) {
  try {
    return { sites: (await casa(request).listSites()).data };
  } catch ({ code, status }) {
    error(status || 502, code);
  }
}
