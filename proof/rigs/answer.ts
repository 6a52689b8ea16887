// An answer as the tests read it, whichever door it came through.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { OutputMap } from '../../src/contract/generated/types.ts';
import type { Issue } from '../../src/domain/outcome.ts';

/** The error of an envelope. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly issues?: readonly Issue[];
  readonly reason?: string;
}

/** An answer whose body has been read. */
export class Answer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;

  constructor({ status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** Undefined when there is no body. */
  get json(): unknown {
    return this.text === '' ? undefined : JSON.parse(this.text);
  }

  /** The whole body of a success of this operation; throws for anything else, so that a test says what came instead. */
  success<Id extends OperationId>(_id: Id): OutputMap[Id] {
    if (this.status !== 200)
      throw new Error(`The answer is not a success but ${this.status}: ${this.text.slice(0, 300)}`);
    return this.json as OutputMap[Id];
  }

  /** The error object; throws when there is none. */
  get error(): ErrorBody {
    const { error } = (this.json ?? {}) as { error?: ErrorBody | string };
    if (typeof error !== 'object')
      throw new Error(`The answer holds no error: ${this.status} ${this.text.slice(0, 300)}`);
    return error;
  }

  /** The error's code, the plain text of a limiter's body, or `ok`. */
  get code(): string {
    const { error } = (this.json ?? {}) as { error?: ErrorBody | string };
    return typeof error === 'string' ? error : (error?.code ?? 'ok');
  }
}

export async function toAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response;
  return new Answer({ status, headers: Object.fromEntries(headers), text: await response.text() });
}
