// The formats that the contract names, as the validators check them. RFC 3339, which ajv-formats would use for
// date-times, is narrower than the contract's "ISO 8601" (interpretation R8), so one is ours.
import { isDateTime } from './timestamps.ts';
import { isUri } from './uri.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const checkedFormats = {
  'date-time': isDateTime,
  uuid: (text: string): boolean => uuid.test(text),
  uri: isUri,
};
