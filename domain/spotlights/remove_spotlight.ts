import { peekShownWindow } from "../auction/read_shown_windows.ts";
import type { Day } from "../day.ts";
import { noteEvents } from "../events/note_events.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { removalMail } from "./removal_mail.ts";
import type { Spotlight } from "./spotlight.ts";

/** Which day's Spotlight, and why, as its owner is told. */
interface RemoveSpotlight {
  day: Day;
  reason: string;
}

/**
 * Removes a settled Spotlight from every read (policy, dispute, court order), and
 * tells its owner why. It stays in the books; a repeat returns what stands.
 *
 * @throws {Refused} `spotlight_not_found` for a day that has not settled
 */
export function removeSpotlight(
  services: Services,
  input: RemoveSpotlight,
): Promise<Spotlight> {
  const { store, clock, ids } = services;
  const mailId = ids.next("mail"); // outside: attempts share it
  return store.transact(async (tx) => {
    const now = clock.now();
    const spotlight = await tx.spotlights.find(input.day);
    if (spotlight === null) {
      return refuse({ code: "spotlight_not_found", day: input.day });
    }
    if (spotlight.removedAtMs !== null) return spotlight;
    const removed: Spotlight = {
      ...spotlight,
      removedAtMs: now,
      removalReason: input.reason,
    };
    tx.spotlights.save(removed);
    tx.noteChange({ before: { removed: false }, after: { removed: true } });
    tx.touchSpotlights();
    await tellOwner(services, tx, removed, { ...input, mailId, nowMs: now });
    return removed;
  });
}

/** A house ad has no owner, and of an erased account nobody is left to be told. */
async function tellOwner(
  services: Services,
  tx: Transaction,
  { accountId, day, headline }: Spotlight,
  { reason, mailId, nowMs }: RemoveSpotlight & {
    mailId: string;
    nowMs: number;
  },
): Promise<void> {
  if (accountId === null) return;
  const type = "spotlight.removed";
  await noteEvents(tx, accountId, [{ type, data: { day } }], nowMs);
  const account = await tx.accounts.find(accountId);
  if (account === null || account.email === "") return;
  const { settings } = services;
  const shown = await peekShownWindow(tx, settings, day);
  const told = { day, headline, reason, shown };
  const content = removalMail(account.email, told, settings);
  queueMail(tx, { mailId, accountId, content }, nowMs);
}
