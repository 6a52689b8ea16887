import { casa } from '../../../lib/casa.js';

export async function GET() {
  try {
    return Response.json(await (await casa()).listSites());
  } catch ({ code, status }) {
    return Response.json({ code }, { status: status || 502 });
  }
}
