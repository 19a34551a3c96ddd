import { abortAfter } from "../time/system_time.ts";
import { ProcessorUncertain } from "../../domain/failure.ts";
import { FILE_TOO_LARGE } from "../../domain/payments/processor.ts";
import type { Outcome } from "../../domain/payments/outcome.ts";
import { boundedBytes, type Bytes } from "./bounded_bytes.ts";
import type { StripeClient } from "./stripe_client.ts";

/** Addresses a download may be sent on to. */
const REDIRECTS_MAX = 5;

/**
 * Downloads a file the processor points to, within the client's limit of time for that.
 * Only https is asked, or the address the client itself talks to, which in
 * development is a simulator's.
 *
 * @param url where it lies; null while there is none
 * @returns a no when there is no address, it may not be asked, or the file is
 * larger than `maxBytes`
 * @throws {ProcessorUncertain} when no whole file came
 */
export async function download(
  stripe: StripeClient,
  url: string | null | undefined,
  maxBytes: number,
): Promise<Outcome<Bytes>> {
  if (url === null || url === undefined) {
    return no("file_missing", "There is nothing to download yet");
  }
  const over = abortAfter(stripe.downloadTimeoutMs);
  try {
    return await follow(stripe, url, maxBytes, over.signal);
  } catch (error) {
    throw new ProcessorUncertain("Cannot download the file", { cause: error });
  } finally {
    over.callOff();
  }
}

async function follow(
  { ownOrigin, travel }: StripeClient,
  from: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Outcome<Bytes>> {
  let url = new URL(from);
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    if (url.protocol !== "https:" && url.origin !== ownOrigin) {
      return no("address_refused", "The file does not lie at an https address");
    }
    const response = await travel(url.href, { redirect: "manual", signal });
    const to = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || to === null) {
      return await bodyOf(response, maxBytes);
    }
    await response.body?.cancel();
    url = new URL(to, url);
  }
  throw new Error(`More than ${REDIRECTS_MAX} redirects`);
}

async function bodyOf(
  response: Response,
  maxBytes: number,
): Promise<Outcome<Bytes>> {
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`The address of the file answers ${response.status}`);
  }
  const value = await boundedBytes(response.body, maxBytes);
  return value === null
    ? no(FILE_TOO_LARGE, `The file has more than ${maxBytes} bytes`)
    : { ok: true, value };
}

function no(code: string, message: string): Outcome<never> {
  return { ok: false, code, message };
}
