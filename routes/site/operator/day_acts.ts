import { operatorOf } from "../../../domain/accounts/require_operator.ts";
import { actAs } from "../../../domain/audit/act_as.ts";
import type { ActName } from "../../../domain/audit/operator_act.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { type Day, isoMinute, MINUTE_MS } from "../../../domain/day.ts";
import { orderRefund } from "../../../domain/invoices/order_refund.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import type { Services } from "../../../domain/ports.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { closeEarly } from "../../../domain/settlement/close_early.ts";
import type { DayBefore } from "../../../domain/settlement/day_before.ts";
import type { DeskDay } from "../../../domain/settlement/read_desk_day.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { removeSpotlight } from "../../../domain/spotlights/remove_spotlight.ts";
import type { PageRequest } from "../pages/advertiser_page.ts";

/** What an operator asks for about a day. */
export interface DayOrder {
  day: Day;
  /** Empty where the act takes none. */
  reason: string;
  /** Whether the winner is given the money back as well. */
  refund: boolean;
}

/** What acting on a day takes. */
interface DayParts {
  request: PageRequest;
  /** The services whose first commit has the act's line of the audit. */
  acting: Services;
}

/** Something that an operator does about a day. */
export interface DayAct {
  /** Whether the page of the day offers it. */
  isOffered(day: DeskDay): boolean;
  /** What the operator does, as a heading and a button. */
  title: string;
  /** What follows, said before it is done. */
  effect: string;
  /** What ends with it of the day before, as a sentence; null for nothing. */
  alsoEnds?(before: DayBefore, nowMs: number): string | null;
  /** What is said once it is done. */
  done: string;
  button: "main" | "danger";
  takesReason: boolean;
  /** Whether the owner reads the reason. */
  isReasonMailed?: true;
  /** Whether it may give the money back as well. */
  mayRefund?: true;
  /** What the audit calls it. */
  act: ActName;
  /** Says what was done where that is not what the act is called. */
  run(parts: DayParts, order: DayOrder): Promise<unknown>;
}

/** Every act by the last part of its address. */
export const DAY_ACTS = {
  open: {
    isOffered: ({ isOpenable }) => isOpenable,
    title: "Open the auction now",
    effect: "Whoever is ready can bid on this day from then on. It closes at " +
      "its hour, as every day does.",
    done: "The auction is open.",
    button: "main",
    takesReason: false,
    act: "auction.open",
    run: ({ acting }, { day }) => openAuction(acting, { day }),
  },
  close: {
    isOffered: (day) => mayEndEarly(day) && !day.before.isUnsettled,
    title: "Close the auction now",
    effect:
      "Nobody can bid on this day or raise a bid from then on, and it is " +
      "settled within a minute: the best bid’s card is charged.",
    done: "The auction is closed.",
    alsoEnds: whoseTimeEnds,
    button: "danger",
    takesReason: false,
    act: "auction.close",
    run: ({ acting }, { day }) => closeEarly(acting, { day }),
  },
  settle: {
    isOffered: ({ state, settledAtMs }) =>
      state.phase === "CLOSED" && settledAtMs === null,
    title: "Try to settle it now",
    effect: "The settlement goes on at once from where it stands, without " +
      "waiting for its next try. Nobody is charged twice by it.",
    done: "The settlement was tried. This is how far it got.",
    button: "main",
    takesReason: false,
    act: "auction.settle",
    async run({ request, acting }, { day }) {
      await settleDay(acting, { day, force: true });
      await request.records.refreshNow();
    },
  },
  remove: {
    isOffered: ({ spotlight }) =>
      spotlight !== null && spotlight.removedAtMs === null,
    title: "Remove the Spotlight",
    effect:
      "It is gone from every page and answer within 5 seconds, for good. " +
      "It stays in the books. No other Spotlight takes its place. Its ad stays " +
      "approved: withdraw that as well unless it may win again.",
    done: "The Spotlight was removed.",
    button: "danger",
    takesReason: true,
    isReasonMailed: true,
    mayRefund: true,
    act: "spotlight.remove",
    run: remove,
  },
  refund: {
    isOffered: (day) => refundable(day) !== null,
    title: "Give the money back",
    effect: "The winner gets everything back that is not back yet, with a " +
      "credit note and a mail. The Spotlight stays as it is.",
    done: "The money is being given back.",
    button: "danger",
    takesReason: true,
    act: "spotlight.refund",
    run: refund,
  },
  compare: {
    isOffered: ({ isOver }) => isOver,
    title: "Compare its books",
    effect: "The ledger of this day, the processor’s balance and the archive " +
      "are compared as they are every night. What differs is shown under Money.",
    done:
      "The books of this day were compared. What came of it is under Money.",
    button: "main",
    takesReason: false,
    act: "books.compare",
    run: async ({ acting }, { day }) => {
      await reconcileDay(acting, day);
    },
  },
} as const satisfies Readonly<Record<string, DayAct>>;

/** Names an act. */
export type DayActName = keyof typeof DAY_ACTS;

/** Every act's name, in the order in which they are offered. */
export const DAY_ACT_NAMES = Object.keys(DAY_ACTS) as DayActName[];

/** The act of a name, with its type widened. */
export function dayAct(name: DayActName): DayAct {
  return DAY_ACTS[name];
}

/** Whether the auction takes bids that an order could end. */
export function mayEndEarly({ state, hasBegun }: DeskDay): boolean {
  return hasBegun && state.phase === "OPEN";
}

/** Whose Spotlight is cut short where the auction is closed now. */
function whoseTimeEnds(
  { day, shown }: DayBefore,
  nowMs: number,
): string | null {
  if (shown === null) return null;
  const { advertiser, untilMs } = shown;
  return `The Spotlight of ${day}, which ${advertiser} paid for, ends with it: ` +
    `${leftOf(untilMs - nowMs)} before ${isoMinute(untilMs)}, as its ` +
    "advertiser was told. Nobody is mailed that it ended sooner, and its " +
    "invoice stays as it is: write to its advertiser, or give the money back.";
}

/** `23 h 5 min`. */
function leftOf(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The invoice whose money can be given back; null for none. */
export function refundable({ candidates }: DeskDay): Invoice | null {
  const won = candidates.find(({ candidate }) => candidate.step === "won");
  const invoice = won?.invoice ?? null;
  const isPossible = invoice?.money === "sold" ||
    invoice?.money === "refund_failed";
  return isPossible ? invoice : null;
}

/**
 * Removed first: readers must not go on seeing what is being paid back, which is
 * an act of its own.
 */
async function remove(
  { request, acting }: DayParts,
  order: DayOrder,
): Promise<string | void> {
  const { day, reason } = order;
  await removeSpotlight(acting, { day, reason });
  const { services, account, records } = request;
  await records.refreshNow();
  if (!order.refund) return;
  const by = operatorOf(account, services.settings);
  return await actAs(
    services,
    { by, act: "spotlight.refund", subject: day, reason },
    (refunding) => refund({ request, acting: refunding }, order),
  );
}

/** Says `waits` where another operator has to ask for it too. */
async function refund(
  { request: { services, account }, acting }: DayParts,
  { day, reason }: DayOrder,
): Promise<string | void> {
  const by = operatorOf(account, services.settings);
  const order = { day, note: reason, by };
  const { request } = await orderRefund(acting, order);
  if (request !== null) return "waits";
}

/** What is said of an act that waits. */
export const WAITS =
  "The refund waits: another operator has to ask for it too, within 24 hours.";
