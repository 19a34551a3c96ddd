import { syncDispute } from "../disputes/sync_dispute.ts";
import {
  nameOfThrown,
  ProcessorRefused,
  ProcessorUncertain,
  TemporaryFailure,
} from "../failure.ts";
import { adoptRefunds } from "../invoices/adopt_refunds.ts";
import type { Services } from "../ports.ts";
import { syncTransfer } from "../partners/sync_transfer.ts";
import { adoptSoldDay } from "../settlement/adopt_sold_day.ts";
import { syncInvoice } from "../settlement/sync_invoice.ts";
import { syncPayment } from "../webhooks/sync_payment.ts";
import { syncRefund } from "../webhooks/sync_refund.ts";
import {
  type AdoptableItem,
  itemId,
  type ReviewItem,
  subjectOf,
} from "./review.ts";

type Named = Exclude<AdoptableItem["kind"], "day_sold">;

/** The verbs that a notification of each would have called, by what it is of. */
const ADOPT: {
  readonly [Kind in Named]: (
    services: Services,
    subject: string,
  ) => Promise<void>;
} = {
  invoice_to_book: syncInvoice,
  refund_to_book: (services, invoiceId) =>
    adoptRefunds(services, { invoiceId }),
  refund_came_back: syncRefund,
  figures_to_book: syncPayment,
  dispute_to_book: syncDispute,
  transfer_to_book: syncTransfer,
};

/** Whether the release adopts it by itself. */
export function isAdoptable(item: ReviewItem): item is AdoptableItem {
  return item.kind === "day_sold" || item.kind in ADOPT;
}

/**
 * Adopts what the processor knows; nothing is asked of it but to be read.
 * Harmless to repeat, and after a crash at any point. One item that can't be
 * adopted, for whatever reason, is a person's to look at, and keeps no store on
 * hold for good.
 *
 * @param isNoted an operator took note that it could not be adopted: a sold day
 * is settled without the ad that it can't be shown with
 * @returns why it could not be adopted, as far as that is known; what is still
 * missing afterwards is found by the next review
 * @throws {TemporaryFailure} when the store can't be reached
 */
export async function adoptItem(
  services: Services,
  item: AdoptableItem,
  isNoted: boolean,
): Promise<string | null> {
  if (item.kind !== "day_sold") {
    return await adoptNamed(services, item.kind, subjectOf(item));
  }
  const { day, invoiceId } = item;
  const adopt = () => adoptSoldDay(services, { day, invoiceId, isNoted });
  return await whyNot(services, itemId(item), adopt);
}

/**
 * Adopts an item by its name, as a release that could not has kept it. Only a
 * sold day can't be: its settlement takes it over.
 *
 * @returns why it could not be adopted; null also for a name of anything else
 * @throws {TemporaryFailure} when the store can't be reached
 */
export async function adoptByName(
  services: Services,
  name: string,
): Promise<string | null> {
  const [kind = "", ...subject] = name.split(":");
  return Object.hasOwn(ADOPT, kind)
    ? await adoptNamed(services, kind as Named, subject.join(":"))
    : null;
}

function adoptNamed(
  services: Services,
  kind: Named,
  subject: string,
): Promise<string | null> {
  const adopt = () => ADOPT[kind](services, subject);
  return whyNot(services, `${kind}:${subject}`, adopt);
}

async function whyNot(
  { log }: Services,
  name: string,
  adopt: () => Promise<string | null | void>,
): Promise<string | null> {
  try {
    return await adopt() ?? null;
  } catch (error) {
    // What would have to act there follows once the store is released.
    if (error instanceof ProcessorUncertain) {
      return "the processor gave no answer";
    }
    if (error instanceof ProcessorRefused) return "the processor refused it";
    if (error instanceof TemporaryFailure) throw error;
    const fields = { item: name, error: nameOfThrown(error) };
    log.error("hold.adopt_failed", fields);
    return `it failed here (${fields.error})`;
  }
}
