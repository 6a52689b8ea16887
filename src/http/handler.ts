// Handlers of operations, and the types that make their table total: an operation of the contract without a handler
// does not compile, and neither does a write that does not say what it changes.
import type { OperationId, WriteOperationId } from '../contract/generated/operations.ts';
import type { InputMap, OutputMap } from '../contract/generated/types.ts';
import type { LinkChange, PostChange, ReplyChange, WorldChange } from '../domain/change.ts';
import { type Outcome, ok } from '../domain/outcome.ts';
import type { Organization, World } from '../domain/world.ts';

export interface HandlerContext {
  readonly world: World;
  readonly organization: Organization;
  readonly nowMs: number;
  /** Scheme and host under which the client reached us. */
  readonly origin: string;
}

/**
 * A handler's decision: the response, and the change that the response speaks of. The handler itself changes nothing.
 */
export interface Handled<Output, Change> {
  readonly output: Output;
  readonly change: Change;
}

/** The change that each write makes. A new write is missing here until it has its row. */
interface ChangeMap {
  readonly createConnectLink: LinkChange;
  readonly createPost: PostChange;
  readonly replyToReview: ReplyChange;
}

/** Null for a read: a handler that reads has no way to speak of a change. */
type ChangeOf<Id extends OperationId> = Id extends WriteOperationId ? ChangeMap[Id] : null;

/** Synchronous: a request is decided from start to end on one state. */
export type Handler<Id extends OperationId> = (
  input: InputMap[Id],
  context: HandlerContext,
) => Outcome<Handled<OutputMap[Id], ChangeOf<Id>>>;

/** Total over the operations of the contract. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

/** A handler without its input type, for the pipeline. */
export type AnyHandler = (input: unknown, context: HandlerContext) => Outcome<Handled<object, WorldChange | null>>;

export function unchanged<Output>(output: Output): Outcome<Handled<Output, null>> {
  return ok({ output, change: null });
}
