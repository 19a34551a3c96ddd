/**
 * The desk's decisions. Each is one commit: the creative, a line of its
 * history, and the mail that tells its owner. A decision that stands already
 * is answered as it stands, without another line or mail.
 *
 * @module
 */
import type { Account } from "../accounts/account.ts";
import { eligibilityReasons } from "../accounts/eligibility.ts";
import { queueOwnerMail } from "../accounts/owner_mails.ts";
import type { EventFact } from "../events/event.ts";
import { noteEvents } from "../events/note_events.ts";
import { AD_ID_SHAPE } from "../limits.ts";
import type { MailContent } from "../mail/mail_content.ts";
import type { Services, Transaction } from "../ports.ts";
import { firstPage } from "../pages.ts";
import { refuse } from "../refusal.ts";
import { advance } from "../state_machine.ts";
import {
  type AdvertiserName,
  type Creative,
  CREATIVE_STATES,
  type CreativeState,
  type Rejection,
} from "./creative.ts";
import { presentName } from "./advertiser_name.ts";
import {
  type CreativeEvent,
  type Reviewer,
  saveWithNote,
} from "./creative_note.ts";
import type { CreativeAction } from "./creative_refusal.ts";
import { refuseInState, refuseUnknownCreative } from "./own_creative.ts";
import { readRejection, type RejectionText } from "./read_rejection.ts";
import {
  approvedMail,
  type Owner,
  rejectedMail,
  withdrawnMail,
} from "./review_mails.ts";

/** Which creative is decided about, and by whom. */
export interface ReviewCreative {
  adId: string;
  by: Reviewer;
  /** The advertiser's name as the reviewer saw it; null for no claim. */
  advertiser?: string | null;
}

type ReviewServices = Pick<
  Services,
  "store" | "clock" | "ids" | "keys" | "settings"
>;

/** A decision: from which state to which, and what is written of it. */
interface Decision {
  action: CreativeAction;
  from: CreativeState;
  to: CreativeState;
  event: CreativeEvent;
  rejection?: Rejection;
  mail(owner: Owner, decided: Creative, baseUrl: string): MailContent;
}

/**
 * Lets advertisers bid with a submitted creative. The advertiser's name that the
 * reviewer saw is frozen into it.
 *
 * @throws {Refused} `creative_not_found`; `creative_refused` in another state,
 * when the account names no company, and when it has another name by now
 */
export function approveCreative(
  services: ReviewServices,
  input: ReviewCreative,
): Promise<Creative> {
  return decide(services, input, {
    action: "approve",
    from: "submitted",
    to: "approved",
    event: "approved",
    mail: approvedMail,
  });
}

/**
 * Turns a submitted creative down by a policy.
 *
 * @throws {Refused} as {@linkcode approveCreative}, and for texts that are not
 * plain
 */
export function rejectCreative(
  services: ReviewServices,
  { typed, ...input }: ReviewCreative & { typed: RejectionText },
): Promise<Creative> {
  return turnDown(services, input, typed, {
    action: "reject",
    from: "submitted",
    event: "rejected",
    mail: rejectedMail,
  });
}

/**
 * Takes an approval back. Settlement voids the bids that stand on the creative;
 * a Spotlight that it became already is removed by another verb.
 *
 * @throws {Refused} as {@linkcode rejectCreative}
 */
export function withdrawApproval(
  services: ReviewServices,
  { typed, ...input }: ReviewCreative & { typed: RejectionText },
): Promise<Creative> {
  return turnDown(services, input, typed, {
    action: "withdraw the approval of",
    from: "approved",
    event: "approval_withdrawn",
    mail: withdrawnMail,
  });
}

/** Decides that a creative is rejected, from whichever state. */
function turnDown(
  services: ReviewServices,
  input: ReviewCreative,
  typed: RejectionText,
  how: Pick<Decision, "action" | "from" | "event"> & {
    mail: typeof rejectedMail | typeof withdrawnMail;
  },
): Promise<Creative> {
  const rejection = readRejection(typed);
  return decide(services, input, {
    ...how,
    to: "rejected",
    rejection,
    mail: (owner, decided, baseUrl) =>
      how.mail(owner, decided, rejection, baseUrl),
  });
}

function decide(
  services: ReviewServices,
  { adId, by, advertiser: seen = null }: ReviewCreative,
  decision: Decision,
): Promise<Creative> {
  const { store, clock, ids, settings } = services;
  const mailId = ids.next("mail"); // outside: attempts share it
  return store.transact(async (tx) => {
    const creative = await anyCreative(tx, adId);
    if (creative.state === decision.to) return creative;
    if (creative.state !== decision.from) {
      refuseInState(creative, decision.action);
    }
    const atMs = clock.now();
    const { event, rejection } = decision;
    const { archiving: _, ...opened } = creative;
    const owner = await tx.accounts.find(creative.accountId);
    const advertiser = decision.to === "approved"
      ? seenName(owner, creative, seen)
      : undefined;
    const decided = saveWithNote(tx, {
      ...opened,
      state: advance(CREATIVE_STATES, creative.state, decision.to),
      updatedAtMs: atMs,
      reviewedAtMs: atMs,
      ...advertiser && { advertiser },
      ...rejection && { rejection },
    }, { event, by, atMs, ...rejection && { rejection } });
    const before = { state: creative.state };
    tx.noteChange({ before, after: { state: decided.state } });
    await noteEvents(tx, creative.accountId, [factOf(decided, event)], atMs);
    if (owner !== null) {
      const wayOut = firstPage(eligibilityReasons(owner, settings)) ?? null;
      const mailed = { to: owner.email, wayOut };
      const content = decision.mail(mailed, decided, settings.baseUrl);
      queueOwnerMail(services, tx, owner, { mailId, content }, atMs);
    }
    return decided;
  });
}

/** What agents are told of a decision. */
function factOf(
  { adId: ad_id, rejection }: Creative,
  event: CreativeEvent,
): EventFact {
  if (event === "approved" || rejection === undefined) {
    return { type: "creative.approved", data: { ad_id } };
  }
  const type = event === "rejected"
    ? "creative.rejected"
    : "creative.withdrawn";
  return { type, data: { ad_id, policy_id: rejection.policyId } };
}

/** The name that is frozen, which has to be the one the reviewer saw. */
function seenName(
  owner: Account | null,
  { adId }: Creative,
  seen: string | null,
): AdvertiserName {
  const present = owner === null ? null : presentName(owner);
  if (present === null || present.name === "") {
    refuse({ code: "creative_refused", why: { kind: "no_advertiser", adId } });
  }
  if (seen !== null && seen !== present.name) {
    refuse({ code: "creative_refused", why: { kind: "name_changed", adId } });
  }
  return present;
}

/** A creative by its id alone, whoever owns it. */
async function anyCreative(tx: Transaction, adId: string): Promise<Creative> {
  if (!AD_ID_SHAPE.test(adId)) refuseUnknownCreative(adId);
  const owner = await tx.peek(tx.creativeOwners.ref(adId));
  const found = owner && await tx.creatives.find(owner.accountId, adId);
  return found ?? refuseUnknownCreative(adId);
}
