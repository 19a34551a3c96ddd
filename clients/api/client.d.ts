import type { Operations } from "../generated/types.d.ts";

export type * from "../generated/types.d.ts";
export { NotReached, Refused } from "./errors.js";

/** The name of an operation, as openapi.json has it. */
export type OperationName = keyof Operations;

/** What an operation takes: `path`, `query`, `headers` and `body`. */
export type InputOf<Name extends OperationName> = Operations[Name]["input"];

/** What an operation answers. */
export type AnswerOf<Name extends OperationName> = Operations[Name]["answer"];

/** The input may be left out where nothing in it is required. */
export type Given<Input> = Record<never, never> extends Input ? [input?: Input]
  : [input: Input];

/** Where the service is, and who asks. */
export interface ClientOptions {
  /** The website's address, without a slash at its end. */
  baseUrl: string;
  /** The address of the agent API; only its operations need it. */
  authUrl?: string;
  /**
   * Answers an access token. Called again with a token that was refused, once a
   * request: it has ended (401), or lacks a scope (403), which the user may have
   * allowed since. Refresh it then; the same token again, or none that can be
   * had, leaves a 403 as it is.
   */
  token?: (refused?: string) => string | Promise<string>;
  /** Longest wait for an answer, or for more of a stream; 15 seconds unless told. */
  timeLimitMs?: number;
  userAgent?: string;
  fetch?: typeof fetch;
}

/** An event of a stream, with its data as JSON. */
export interface StreamEvent {
  event: string;
  data: unknown;
}

/** The interface of the service. */
export interface Client {
  /**
   * Asks for an operation.
   *
   * @throws {Refused} when the service says no
   * @throws {NotReached} when no answer came in time
   */
  call<Name extends OperationName>(
    name: Name,
    ...input: Given<InputOf<Name>>
  ): Promise<AnswerOf<Name>>;
  /**
   * The same, with what the answer's headers say: `Idempotent-Replayed` tells an
   * answer of earlier, and `Retry-After` when to ask again.
   */
  answer<Name extends OperationName>(
    name: Name,
    ...input: Given<InputOf<Name>>
  ): Promise<{ status: number; headers: Headers; body: AnswerOf<Name> }>;
  /** The same, as the events of `text/event-stream`, each when it comes. */
  stream<Name extends OperationName>(
    name: Name,
    ...input: Given<InputOf<Name>>
  ): AsyncGenerator<StreamEvent, void>;
}

/** Longest wait for an answer, unless told. */
export const TIME_LIMIT_MS: number;

/** A client of the service. */
export function createClient(options: ClientOptions): Client;
