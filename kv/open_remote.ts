import { StoreUnavailable } from "../domain/failure.ts";
import { withDeadline } from "./guard.ts";
import { keys } from "./keys.ts";
import { asKvLike, type KvLike } from "./kv_like.ts";

/** The store can't be opened as it is named: to wait would not help. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}

/** How long a KV server may take to say who it is, and to answer one read. */
const OPEN_MS = 10_000;

/**
 * Opens the store of a KV server and reads once, so that it surely answers.
 *
 * @throws {StoreUnavailable} when the server does not answer, or not now
 * @throws {StoreRefused} when it answers that it won't
 */
export async function openRemote(
  url: string,
  openMs: number = OPEN_MS,
): Promise<KvLike> {
  const opening = Deno.openKv(url);
  try {
    return await withDeadline(opening.then(answering), openMs);
  } catch (error) {
    // One that opens too late is of no use to anybody.
    opening.then((kv) => kv.close(), () => {});
    throw failureOf(error);
  }
}

async function answering(kv: Deno.Kv): Promise<KvLike> {
  await kv.get(keys.calendar());
  return asKvLike(kv);
}

function failureOf(error: unknown): unknown {
  if (error instanceof Deno.errors.NotCapable) return error;
  const text = error instanceof Error ? error.message : String(error);
  const status = /\bstatus[ =](4\d\d)\b/.exec(text)?.[1];
  if (status === "401" || status === "403") {
    return new StoreRefused(
      "the KV server refuses the access token in DENO_KV_ACCESS_TOKEN",
      { cause: error },
    );
  }
  if (status !== undefined && !MAY_PASS.has(status)) {
    return new StoreRefused(`a KV server would not answer ${status}`, {
      cause: error,
    });
  }
  return new StoreUnavailable(
    `Cannot reach the KV server that KV_URL names: ${withoutUrls(text)}`,
    { cause: error },
  );
}

/** What a proxy in front says when it is busy: another time it goes through. */
const MAY_PASS: ReadonlySet<string> = new Set(["408", "425", "429"]);

/** The address of a store may be a secret of its own, and is never printed. */
function withoutUrls(text: string): string {
  return text.replace(/https?:\/\/[^\s'")]+/g, "KV_URL") || "no answer in time";
}
