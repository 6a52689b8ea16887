import { createClient } from 'casa-kit/api';

export default defineEventHandler(async (event) => {
  const organization = getHeader(event, 'x-casa-organization');
  const casa = createClient({
    baseUrl: process.env.CASA_BASE_URL,
    key: process.env.CASA_API_KEY,
    ...(organization && { headers: { 'x-casa-organization': organization } }),
  });
  try {
    return await casa.listSites();
  } catch ({ code, status }) {
    throw createError({ statusCode: status || 502, data: { code } });
  }
});
