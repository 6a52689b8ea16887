import { Refusal, refusalAnswer } from '../errors.ts';
import { BODY_CAP } from '../http.ts';
import type { MutantsByClause } from './mutant.ts';

const KEEP = 4 * BODY_CAP;

/** The body cap: where it lies, what it counts, and how one is told. */
export const bodyCapMutants: MutantsByClause = {
  '8.body-rest': {
    'cap-refuses-its-own-size': {
      shows: 'A body of exactly 2,500,000 bytes answers 413.',
      wrong: () => ({ 'cap.bytes': (bytes) => bytes - 1 }),
    },
    'cap-lets-one-byte-more': {
      shows: 'A body of 2,500,001 bytes is read and judged.',
      wrong: () => ({ 'cap.bytes': (bytes) => bytes + 1, 'cap.keep': () => KEEP }),
    },
    'cap-in-mebibytes': {
      shows: 'A body of up to 2.5 MiB, that is 2,621,440 bytes, is read and judged.',
      wrong: () => ({ 'cap.bytes': () => 2.5 * 1024 * 1024, 'cap.keep': () => KEEP }),
    },
    'cap-in-characters': {
      shows: 'A body of more than 2,500,000 bytes but fewer characters is read and judged.',
      wrong: () => ({
        'cap.keep': () => KEEP,
        'cap.size': (size, { upload }) => (size > KEEP ? size : new TextDecoder().decode(upload.bytes).length),
      }),
    },
    'cap-by-declared-length': {
      shows: 'A larger body sent in chunks, without Content-Length, is read and judged.',
      wrong: () => ({
        'cap.keep': () => KEEP,
        'cap.size': (size, { declared }) => (declared === undefined && size <= KEEP ? 0 : size),
      }),
    },
  },
  '7.code.payload-too-large': {
    'cap-answers-400': {
      shows: 'A body over the cap answers 400 invalid_input.',
      wrong: () => ({
        'error.answer': (answer, { context, refusal }) => {
          if (refusal.code !== 'payload_too_large') return answer;
          const issues = [{ path: 'body', message: 'is too large' }];
          return refusalAnswer(new Refusal('invalid_input', { message: 'validation failed', issues }), context.variant);
        },
      }),
    },
  },
  '4.json': {
    'cap-answers-a-page': {
      shows: 'The 413 is an HTML page of the proxy in front.',
      wrong: () => ({
        'error.answer': (answer, { refusal }) =>
          refusal.code === 'payload_too_large'
            ? { ...answer, text: '<html><body>413 Request Entity Too Large</body></html>', contentType: 'text/html' }
            : answer,
      }),
    },
  },
};
