// A problem that zod found, in plain words that follow the place: `port: not an integer`.
import type * as z from 'zod';

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  int: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** For issues that were found with `reportInput: true`. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined) return 'missing';
  switch (issue.code) {
    case 'invalid_type':
      return `not ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1 ? `not ${String(issue.values[0])}` : `not one of ${issue.values.join(', ')}`;
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int' ? `below ${issue.minimum}` : 'empty';
    case 'too_big':
      return `above ${issue.maximum}`;
    case 'invalid_format':
      return issue.path.at(-1) === 'key'
        ? 'not a key: a short prefix, an underscore and 32 hexadecimal characters'
        : 'holds characters other than letters, digits, - and _';
    default:
      return issue.message;
  }
}
