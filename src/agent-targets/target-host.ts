/** Who calls operations for the agent: a face, which keeps the calls of all its clients. */
import type { TypedOperation } from '../operations/catalogue.ts';
import type { Answer, Answering, Progress } from '../operations/definition/operation.ts';
import type { Workspace } from '../operations/definition/workspace.ts';

export interface TargetCaller {
  readonly client: string;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

export interface TargetHost {
  readonly workspace: Workspace;
  readonly calls: {
    /** The border: a call with what came from outside. @throws QuodError, whatever the operation threw. */
    answer<Value>(operation: Answering<Value>, input: unknown, caller: TargetCaller): Promise<Answer<Value>>;
    /** A call from this process. @throws QuodError, whatever the operation threw. */
    call<Input, Output>(
      operation: TypedOperation<Input, Output>,
      input: Input,
      caller: TargetCaller,
    ): Promise<Output>;
  };
}
