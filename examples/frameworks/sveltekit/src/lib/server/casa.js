import { env } from '$env/dynamic/private';
import { createClient } from 'casa-kit/api';

export function casa(request) {
  const organization = request.headers.get('x-casa-organization');
  return createClient({
    baseUrl: env.CASA_BASE_URL,
    key: env.CASA_API_KEY,
    ...(organization && { headers: { 'x-casa-organization': organization } }),
  });
}
