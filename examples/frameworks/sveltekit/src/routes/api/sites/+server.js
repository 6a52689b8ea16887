import { json } from '@sveltejs/kit';
import { casa } from '../../../lib/server/casa.js';

export async function GET({ request }) {
  try {
    return json(await casa(request).listSites());
  } catch ({ code, status }) {
    return json({ code }, { status: status || 502 });
  }
}
