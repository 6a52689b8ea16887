// What a handler gets besides its input, and the type that makes the table of handlers total: an operation of the contract
// without a handler does not compile.
import type { OperationId } from '../contract/generated/operations.ts';
import type { InputMap, OutputMap } from '../contract/generated/types.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Organization, World } from '../domain/world.ts';

export interface Call {
  readonly world: World;
  readonly organization: Organization;
  readonly nowMs: number;
  /** Scheme and host under which the client reached us. */
  readonly origin: string;
}

export type Handler<Id extends OperationId> = (input: InputMap[Id], call: Call) => Outcome<OutputMap[Id]>;

export type Handlers = { readonly [Id in OperationId]: Handler<Id> };
