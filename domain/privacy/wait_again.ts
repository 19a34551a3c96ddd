import { mailedTo } from "../accounts/mailed_to.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import type { Services } from "../ports.ts";
import { dataRequestsOf } from "./data_requests.ts";
import { type Erasure, ERASURE_WAIT_MS } from "./erasure.ts";
import { erasureUrl } from "./erasure_link.ts";
import { erasureAgainMail } from "./erasure_mails.ts";

/**
 * Gives the owner of an account another seven days, once, where its erasure was
 * confirmed before the store was restored: it may have been called off after the
 * backup, of which nothing is known any more, and nothing leads back from it. A
 * mail says so, with the way to keep the account.
 */
export async function waitAgain(
  services: Pick<Services, "store" | "clock" | "ids" | "keys" | "settings">,
  { accountId }: { accountId: string },
): Promise<void> {
  const { store, clock, ids } = services;
  const hold = await store.holds.find();
  // As mostly: the store was never restored.
  if (hold === null) return;
  const mailId = ids.next("mail"); // outside: attempts share it
  await store.transact(async (tx) => {
    const requests = await dataRequestsOf(tx, accountId);
    const account = await tx.accounts.find(accountId);
    const { erasure } = requests;
    if (account === null || erasure === undefined) return;
    const confirmedAtMs = confirmedAt(erasure);
    if (confirmedAtMs === null || confirmedAtMs >= hold.restoredAtMs) return;
    const nowMs = clock.now();
    const again = { ...erasure, eraseAtMs: nowMs + ERASURE_WAIT_MS };
    tx.dataRequests.save({ ...requests, erasure: again });
    const to = mailedTo(account);
    const { id: erasureId } = erasure;
    const url = erasureUrl(services, { accountId, erasureId, to, act: "keep" });
    const content = erasureAgainMail({ to: account.email, url }, again);
    queueMail(tx, { mailId, accountId, content }, nowMs);
  });
}

/** Null for one that nobody confirmed, or that has begun. */
function confirmedAt({ state, eraseAtMs }: Erasure): number | null {
  if (state !== "confirmed" || eraseAtMs === null) return null;
  return eraseAtMs - ERASURE_WAIT_MS;
}
