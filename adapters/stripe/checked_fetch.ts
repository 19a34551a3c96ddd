/**
 * A `fetch` for the SDK that lets through only what the processor itself can
 * have said. The SDK takes any JSON object without a member `error` for a
 * success, whatever its status: the 502 of a gateway would void an invoice that
 * was never voided. And of JSON that is no object it throws where nobody
 * catches it, which ends the process.
 *
 * @throws {TypeError} for any other answer: then the outcome is open
 */
export async function checkedFetch(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const response = await fetch(input, init);
  const { status, headers } = response;
  const text = await response.text();
  if (!isOwnAnswer(status, text)) {
    throw new TypeError(`Cannot take an answer ${status} for the processor's`);
  }
  return new Response(text, { status, headers });
}

/** Successes are objects that say what they are, errors have a member `error`. */
function isOwnAnswer(status: number, text: string): boolean {
  const answer = parsed(text);
  if (typeof answer !== "object" || answer === null) return false;
  const { object, error } = answer as { object?: unknown; error?: unknown };
  return status >= 200 && status < 300
    ? typeof object === "string" && error === undefined
    : status >= 400 && typeof error === "object" && error !== null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
