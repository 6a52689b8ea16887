import { type Code, Refusal } from '../errors.ts';
import type { Wrongness } from '../seams.ts';
import type { MutantsByClause } from './mutant.ts';
import { fussy, lengthOf, restated } from './tools.ts';

/** Answers a text that is too long as if all were well. */
function thankful(tool: string, most: number): () => Wrongness {
  return () => ({
    'door.failure': (failure, call) => (call.tool === tool && lengthOf(call.input.text) > most ? undefined : failure),
  });
}

/** The MCP tools that write: what the door says of their texts, and what they do. */
export const mcpTextMutants: MutantsByClause = {
  '8.post-text': {
    'mcp-post-states-4000': {
      shows: 'The posting tool says that a text has at most 4000 characters.',
      wrong: restated('publish_post', 'text', { maxLength: 4000 }),
    },
    'mcp-post-refuses-5000': {
      shows: 'The posting tool counts bytes.',
      wrong: fussy('publish_post', 'text', ({ text }) => Buffer.byteLength(String(text)) > 5000),
    },
    'mcp-post-thanks-for-5001': {
      shows: 'The posting tool answers a text of 5001 characters as if it were posted.',
      wrong: thankful('publish_post', 5000),
    },
  },
  '8.reply-text': {
    'mcp-reply-states-5000': {
      shows: 'The replying tool says that a text has at most 5000 characters.',
      wrong: restated('reply_to_review', 'text', { maxLength: 5000 }),
    },
    'mcp-reply-refuses-4096': {
      shows: 'The replying tool takes a text of up to 4000 characters.',
      wrong: fussy('reply_to_review', 'text', ({ text }) => lengthOf(text) > 4000),
    },
    'mcp-reply-thanks-for-4097': {
      shows: 'The replying tool answers a text of 4097 characters as if it were posted.',
      wrong: thankful('reply_to_review', 4096),
    },
  },
  '8.label': {
    'mcp-label-states-100': {
      shows: 'The linking tool says that a label has at most 100 characters.',
      wrong: restated('create_connect_link', 'label', { maxLength: 100 }),
    },
  },
  '8.max-accounts': {
    'mcp-accounts-state-default-5': {
      shows: 'The linking tool says that maxAccounts is 5 when left out.',
      wrong: restated('create_connect_link', 'maxAccounts', { default: 5 }),
    },
  },
  '1.unknown-record': {
    'mcp-unknown-account-is-empty': {
      shows: 'list_reviews of an unknown account answers an empty result.',
      wrong: () => ({ 'door.failure': (refusal, { tool }) => (tool === 'list_reviews' ? undefined : refusal) }),
    },
  },
  '7.envelope.tool-code': {
    'mcp-code-of-its-own': {
      shows: 'A tool refuses a wrong input with the code validation_failed.',
      wrong: () => ({
        'door.failure': (refusal) =>
          refusal?.code === 'invalid_input'
            ? new Refusal('validation_failed' as Code, { message: 'no', issues: refusal.issues })
            : refusal,
      }),
    },
  },
};
