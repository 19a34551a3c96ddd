import { type Answered, commitOnce } from "../idempotency/answer_once.ts";
import type { Binding } from "../idempotency/replay.ts";
import type { Account } from "../accounts/account.ts";
import { isOperator } from "../accounts/eligibility.ts";
import { mailedTo } from "../accounts/mailed_to.ts";
import { requireAccount } from "../accounts/require_account.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import { advance } from "../state_machine.ts";
import {
  dataRequestsOf,
  ERASURES_A_DAY,
  planned,
  refuseBeyondADay,
} from "./data_requests.ts";
import {
  CONFIRM_WITHIN_MS,
  type Erasure,
  ERASURE_STATES,
  ERASURE_WAIT_MS,
  isConfirmable,
  MAILED_AGAIN_MS,
  standingErasure,
} from "./erasure.ts";
import { type ErasureLink, erasureUrl } from "./erasure_link.ts";
import { type ErasureRecord, erasureRecord } from "./erasure_record.ts";
import { erasureAskedMail, erasureConfirmedMail } from "./erasure_mails.ts";

type ErasureServices = Pick<
  Services,
  "store" | "clock" | "ids" | "keys" | "settings"
>;

/** Who asks for the erasure of an account. */
export interface RequestErasure {
  accountId: string;
  /** The agent that asks; null for the owner, in a browser. */
  grantId: string | null;
  by: Authority;
  binding: Binding | null;
}

/**
 * Asks for the erasure of an account. Nothing happens but a mail to its owner,
 * whose link confirms it within a day. While one stands, whoever asks again is
 * told of that one, and mailed again at most once an hour.
 *
 * @throws {Refused} `rate_limited` beyond {@linkcode ERASURES_A_DAY},
 * `idempotency_conflict`, and as `requireAuthority()`
 */
export function requestErasure(
  services: ErasureServices,
  { accountId, grantId, by, binding }: RequestErasure,
): Promise<Answered<ErasureRecord>> {
  const { ids } = services;
  // Outside: attempts share them.
  const id = ids.next("era");
  const mailId = ids.next("mail");
  return commitOnce<ErasureRecord>(services, binding, async (tx, nowMs) => {
    await requireAuthority(tx, by);
    const account = await requireAccount(tx, accountId);
    refuseOperators(services, account);
    const requests = await dataRequestsOf(tx, accountId);
    const standing = standingErasure(requests, nowMs);
    const isMailed = standing !== null && (standing.state !== "asked" ||
      nowMs - standing.askedAtMs < MAILED_AGAIN_MS);
    if (isMailed) return { status: 202, value: erasureRecord(standing) };
    const { erasuresAskedAtMs: before = [] } = requests;
    refuseBeyondADay(before, ERASURES_A_DAY, nowMs);
    const asked: Erasure = {
      id,
      state: "asked",
      grantId,
      askedAtMs: nowMs,
      confirmUntilMs: nowMs + CONFIRM_WITHIN_MS,
      eraseAtMs: null,
    };
    const erasuresAskedAtMs = [...before, nowMs];
    const after = { ...requests, erasure: asked, erasuresAskedAtMs };
    tx.dataRequests.save(planned(after, nowMs));
    const about = { accountId, erasureId: asked.id, to: mailedTo(account) };
    const url = erasureUrl(services, { ...about, act: "confirm" });
    const to = account.email;
    const content = erasureAskedMail(services.settings, { to, url }, asked);
    queueMail(tx, { mailId, accountId, content }, nowMs);
    return { status: 202, value: erasureRecord(asked) };
  });
}

/**
 * Confirms an erasure by the link of its mail: seven days later the account is
 * erased, and until then the owner may keep it by the link of another mail.
 * Confirming again changes nothing.
 *
 * @throws {Refused} `not_found` for a request that has lapsed, was called off or
 * taken the place of, and for a link to an address that the account has left
 */
export function confirmErasure(
  services: ErasureServices,
  { accountId, erasureId, to }: Omit<ErasureLink, "act">,
): Promise<Erasure> {
  const { store, clock, ids } = services;
  const mailId = ids.next("mail"); // outside: attempts share it
  return store.transact(async (tx) => {
    const nowMs = clock.now();
    const requests = await dataRequestsOf(tx, accountId);
    const account = await tx.accounts.find(accountId);
    const erasure = standingErasure(requests, nowMs);
    if (erasure?.id !== erasureId || account === null) return refuseGone();
    if (to !== mailedTo(account)) return refuseGone();
    refuseOperators(services, account);
    if (!isConfirmable(erasure)) return erasure;
    const confirmed: Erasure = {
      ...erasure,
      state: advance(ERASURE_STATES, erasure.state, "confirmed"),
      eraseAtMs: nowMs + ERASURE_WAIT_MS,
    };
    tx.dataRequests.save(planned({ ...requests, erasure: confirmed }, nowMs));
    const url = erasureUrl(services, { accountId, erasureId, to, act: "keep" });
    const mailed = { to: account.email, url };
    const content = erasureConfirmedMail(mailed, confirmed);
    queueMail(tx, { mailId, accountId, content }, nowMs);
    return confirmed;
  });
}

/**
 * Keeps the account: calls off an erasure that has not begun. Calling off what
 * was called off changes nothing.
 *
 * @param erasureId that of a link; null for whichever stands
 * @returns whether the account stays: false once its erasure has begun
 */
export function keepAccount(
  { store, clock }: Pick<Services, "store" | "clock">,
  { accountId, erasureId, to = null, by = null }: {
    accountId: string;
    erasureId: string | null;
    /** The address that a link was mailed to; null for no link. */
    to?: string | null;
    by?: Authority | null;
  },
): Promise<boolean> {
  return store.transact(async (tx) => {
    if (by !== null) await requireAuthority(tx, by);
    const nowMs = clock.now();
    const { erasure, ...requests } = await dataRequestsOf(tx, accountId);
    const account = await tx.accounts.find(accountId);
    const isLeft = to !== null && account !== null && to !== mailedTo(account);
    if (isLeft) return refuseGone();
    if (erasure === undefined) return account !== null;
    // A link of an earlier request says nothing of this one.
    if (erasureId !== null && erasure.id !== erasureId) return refuseGone();
    if (erasure.state === "erasing") return false;
    tx.dataRequests.save(planned(requests, nowMs));
    return true;
  });
}

/** The erasure of an account that was asked for; null for none. */
export async function readErasure(
  { store, clock }: Pick<Services, "store" | "clock">,
  accountId: string,
): Promise<Erasure | null> {
  const requests = await dataRequestsOf(store, accountId);
  return standingErasure(requests, clock.now());
}

/**
 * Who operates is said by the configuration: an account that was made anew would
 * be a second operator, who confirms what the first one asked for.
 */
function refuseOperators(
  { settings }: Pick<ErasureServices, "settings">,
  account: Account,
): void {
  if (!isOperator(account, settings)) return;
  refuse({
    code: "invalid_input",
    message: "The account of an operator is erased once the configuration no " +
      "longer names its address",
  });
}

function refuseGone(): never {
  refuse({ code: "not_found", message: "Cannot find the erasure" });
}
