import { StoreUnavailable } from "../domain/failure.ts";
import { DeadlinePassed } from "./circuit.ts";
import { spreadOver } from "./connections.ts";
import { withDeadline } from "./guard.ts";
import { keys } from "./keys.ts";
import { asKvLike, type KvLike } from "./kv_like.ts";

/** The store can't be opened as it is named: to wait would not help. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}

/** How long a KV server may take to say who it is, and to answer one read. */
const OPEN_MS = 10_000;

/** Connections to a KV server. */
const CONNECTIONS = 16;

/**
 * Opens the store of a KV server and reads once over each connection, so that it
 * surely answers.
 *
 * @throws {StoreUnavailable} when the server does not answer, or not now
 * @throws {StoreRefused} when it answers that it won't
 */
export async function openRemote(
  url: string,
  openMs: number = OPEN_MS,
): Promise<KvLike> {
  const first = await connected(url, openMs);
  const more = await Promise.allSettled(
    Array.from({ length: CONNECTIONS - 1 }, () => connected(url, openMs)),
  );
  // One that is missing makes nothing wrong, only others busier.
  const opened = more.flatMap((each) =>
    each.status === "fulfilled" ? [each.value] : []
  );
  return spreadOver(first, opened);
}

async function connected(url: string, openMs: number): Promise<KvLike> {
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
  if (error instanceof DeadlinePassed || NO_ANSWER.test(text)) {
    return new StoreUnavailable(
      "Cannot reach the KV server that KV_URL names: " +
        (withoutUrls(text) || "no answer in time"),
      { cause: error },
    );
  }
  return new StoreRefused(refusalOf(text), { cause: error });
}

/** 408, 425 and 429 are a proxy's that is busy: another time it goes through. */
const NO_ANSWER = /failed to connect|\bstatus[ =](5\d\d|408|425|429)\b/;

function refusalOf(text: string): string {
  const status = /\bstatus[ =](4\d\d)\b/.exec(text)?.[1];
  if (status === "401" || status === "403") {
    return "the KV server refuses the access token in DENO_KV_ACCESS_TOKEN";
  }
  if (status !== undefined) return `a KV server would not answer ${status}`;
  return withoutUrls(text);
}

/** The address of a store may be a secret of its own, and is never printed. */
export function withoutUrls(text: string): string {
  return text.replace(/https?:\/\/[^\s'")]+/g, "KV_URL");
}
