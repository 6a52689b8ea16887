import { createClient } from 'casa-kit/api';
import { headers } from 'next/headers';

export async function casa() {
  const organization = (await headers()).get('x-casa-organization');
  return createClient({
    baseUrl: process.env.CASA_BASE_URL,
    key: process.env.CASA_API_KEY,
    ...(organization && { headers: { 'x-casa-organization': organization } }),
  });
}
