/** The service answered, and the answer is no. */
export class Refused extends Error {
  constructor(answer: Response, body: unknown);
  readonly status: number;
  /** Such as `agent.mandate-exceeded`; null where there is none. */
  readonly code: string | null;
  /** Why a person has to act, most pressing first. */
  readonly reasons: readonly string[];
  /** Where a person acts: a path of the website. */
  readonly actionUrl: string | null;
  /** After how many seconds the same request may be repeated. */
  readonly retryAfterS: number | null;
  /** The value of `WWW-Authenticate`. */
  readonly challenge: string | null;
  /** By which the service's log knows it. */
  readonly requestId: string | null;
  readonly body: unknown;
}

/** No answer, or none in time: what was asked for may have happened or not. */
export class NotReached extends Error {}
