import { Refusal, refusalAnswer } from '../errors.ts';
import { BODY_CAP } from '../http.ts';
import type { IndependentMutant } from './mutant.ts';

const KEEP = 4 * BODY_CAP;

/** The body cap: where it lies, what it counts, and how one is told. */
export const capMutants: readonly IndependentMutant[] = [
  {
    name: 'cap-refuses-its-own-size',
    breaks: '8.body-rest',
    shows: 'A body of exactly 2,500,000 bytes answers 413.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({ 'cap.bytes': (bytes) => bytes - 1 }),
  },
  {
    name: 'cap-lets-one-byte-more',
    breaks: '8.body-rest',
    shows: 'A body of 2,500,001 bytes is read and judged.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({ 'cap.bytes': (bytes) => bytes + 1, 'cap.keep': () => KEEP }),
  },
  {
    name: 'cap-in-mebibytes',
    breaks: '8.body-rest',
    shows: 'A body of up to 2.5 MiB, that is 2,621,440 bytes, is read and judged.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({ 'cap.bytes': () => 2.5 * 1024 * 1024, 'cap.keep': () => KEEP }),
  },
  {
    name: 'cap-in-characters',
    breaks: '8.body-rest',
    shows: 'A body of more than 2,500,000 bytes but fewer characters is read and judged.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'cap.keep': () => KEEP,
      'cap.size': (size, { upload }) => (size > KEEP ? size : new TextDecoder().decode(upload.bytes).length),
    }),
  },
  {
    name: 'cap-by-declared-length',
    breaks: '8.body-rest',
    shows: 'A larger body sent in chunks, without Content-Length, is read and judged.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({
      'cap.keep': () => KEEP,
      'cap.size': (size, { declared }) => (declared === undefined && size <= KEEP ? 0 : size),
    }),
  },
  {
    name: 'cap-answers-400',
    breaks: '7.code.payload-too-large',
    shows: 'A body over the cap answers 400 invalid_input.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'error.answer': (answer, { context, refusal }) => {
        if (refusal.code !== 'payload_too_large') return answer;
        const issues = [{ path: 'body', message: 'is too large' }];
        return refusalAnswer(new Refusal('invalid_input', { message: 'validation failed', issues }), context.variant);
      },
    }),
  },
  {
    name: 'cap-answers-a-page',
    breaks: '4.json',
    shows: 'The 413 is an HTML page of the proxy in front.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({
      'error.answer': (answer, { refusal }) =>
        refusal.code === 'payload_too_large'
          ? { ...answer, text: '<html><body>413 Request Entity Too Large</body></html>', contentType: 'text/html' }
          : answer,
    }),
  },
];
