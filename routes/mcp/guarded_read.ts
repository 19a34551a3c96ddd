import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { faultFields } from "../fault.ts";
import { type Problem, problemOf, type ProblemServices } from "./problem_of.ts";
import { CALL_MS, within } from "./within.ts";

/** What is read: a resource or a prompt, named by its URI or name. */
export interface Read {
  uri: string;
  requestId: string;
  signal: AbortSignal;
}

/**
 * Reads a resource, or fills in a prompt, so that nothing that was thrown
 * reaches the client: what is not found is told as the protocol does, another
 * refusal and a temporary failure with the surface's problem as `data`.
 *
 * @throws {ProtocolError} and nothing else
 */
export async function guardedRead<T>(
  services: ProblemServices,
  { uri, requestId, signal }: Read,
  read: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  try {
    return await within(CALL_MS, signal, read);
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    let problem: Problem;
    try {
      problem = await problemOf(services, requestId, thrown);
    } catch (fault) {
      services.log.error("read_failed", faultFields(requestId, fault));
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        "Internal error.",
      );
    }
    throw protocolErrorOf(uri, problem);
  }
}

function protocolErrorOf(uri: string, problem: Problem): ProtocolError {
  const { status, detail } = problem;
  if (status === 404) return new ResourceNotFoundError(uri);
  const code = Number(status) < 500
    ? ProtocolErrorCode.InvalidParams
    : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, String(detail), problem);
}
