import { sharedDeadlines } from "../domain/operations/shared_deadlines.ts";
import { startTimer } from "./start_timer.ts";

/** Longest a body may take to arrive, ms; the longest is a few hundred KB. */
const ARRIVES_WITHIN_MS = 30_000;

type Body = Uint8Array | "too_long" | "cut_off";

/**
 * Reads a body. What counts is the bytes that arrive, never the length that was
 * announced. Without a limit of time, who stops in the middle would stay a
 * request in flight for as long as they like.
 *
 * @returns `too_long` for more than `max` bytes, `cut_off` for a body that does
 * not arrive whole, or not within so many milliseconds
 */
export function bodyBytes(
  request: Request,
  max: number,
  withinMs: number = ARRIVES_WITHIN_MS,
): Promise<Body> {
  return new Promise((resolve, reject) => {
    const callOff = deadline(withinMs, () => resolve("cut_off"));
    arriving(request, max).then((body) => {
      callOff();
      resolve(body);
    }, reject);
  });
}

/** Most bodies are there at once: none of them is worth a timer of its own. */
const deadline = sharedDeadlines({
  nowMs: () => performance.now(),
  startTimer,
});

async function arriving(request: Request, max: number): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    if (announced(request) <= max) {
      const bytes = await request.bytes();
      return bytes.byteLength > max ? "too_long" : bytes;
    }
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength;
      if (length > max) return "too_long";
      chunks.push(chunk);
    }
  } catch {
    // The caller has hung up, or sent chunks that are none.
    return "cut_off";
  }
  return joined(chunks, length);
}

/**
 * The length beyond which the server reads no further, so that such a body may
 * be taken whole, which costs much less than a stream; `NaN` without one.
 */
function announced({ headers }: Request): number {
  if (headers.has("transfer-encoding")) return NaN;
  return Number(headers.get("content-length") ?? NaN);
}

/** Most streams come in one piece. */
function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The text of a body; null when it is no UTF-8. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
