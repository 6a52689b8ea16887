import { createClient } from 'casa-kit/api';

export function casa(request) {
  const organization = request.headers.get('x-casa-organization');
  return createClient({
    baseUrl: process.env.CASA_BASE_URL,
    key: process.env.CASA_API_KEY,
    ...(organization && { headers: { 'x-casa-organization': organization } }),
  });
}
