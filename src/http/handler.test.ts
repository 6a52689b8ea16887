import { describe, expect, it } from 'vitest';
import type { WriteOperationId } from '../contract/generated/operations.ts';
import type { OwnWriteToolName } from '../contract/generated/tools.ts';
import { type Handler, unchanged } from './handler.ts';

describe('Handler', () => {
  it('makes a write say what it changes', () => {
    const output = { data: { postId: 'post_1', permalink: null }, summary: 'Posted.' };
    // @ts-expect-error a write without its change does not compile
    const forgetful: Handler<'createPost'> = () => unchanged(output);
    const wrong: Handler<'createPost'> = () => ({
      ok: true,
      // @ts-expect-error nor does one with the change of another
      value: { output, change: { kind: 'reply', organizationId: '1', accountId: '2', reviewId: '3', text: '4' } },
    });
    expect([forgetful, wrong]).toHaveLength(2);
  });

  it('knows the writes from the spec', () => {
    const writes: Record<WriteOperationId | OwnWriteToolName, true> = {
      createConnectLink: true,
      createPost: true,
      replyToReview: true,
      dialer_import_contacts: true,
    };
    expect(Object.keys(writes)).toHaveLength(4);
  });
});
