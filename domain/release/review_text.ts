import type { AdoptableItem, ReviewItem } from "./review.ts";

/** What an item is and what becomes of it, for the operator. */
export function reviewText(item: ReviewItem): string {
  switch (item.kind) {
    case "day_sold_to_unknown":
      return `${item.day} was sold to a bid that is not in the backup: the ` +
        `invoice ${item.invoiceId} is paid. Give its money back at the ` +
        "processor, and the day goes on with the bids that are here. Or " +
        "acknowledge it: the sale stands and is booked, whoever bid here has " +
        "lost and is charged nothing, and a house advertisement is shown";
    case "day_sold_twice":
      return `The paid invoice ${item.invoiceId} is not that of the bid that ` +
        `won ${item.day} here. Give its money back at the processor`;
    case "paid_late":
      return item.isBidKnown
        ? `The invoice ${item.invoiceId} of ${item.day} was void when its ` +
          "payment came. The service gives the money back by itself once " +
          "the day is settled"
        : `The invoice ${item.invoiceId} of ${item.day} is of a bid that is ` +
          "not in the backup, and was void when its payment came. Give its " +
          "money back at the processor";
    case "invoice_open":
      return item.isBidKnown
        ? `The invoice ${item.invoiceId} of ${item.day} may still be paid. ` +
          "The settlement of the day goes on with it, if account, creative " +
          "and card still qualify when they are looked at again before the " +
          "charge; void it at the processor if nobody is to be charged"
        : `The invoice ${item.invoiceId} of ${item.day} is of a bid that is ` +
          "not in the backup and may still be paid. Void it at the processor, " +
          "or give its money back once it is paid: the day waits until then";
    case "figures_unknown":
      return `The payment ${item.paymentId} for figures` +
        `${item.day === null ? "" : ` of ${item.day}`} is not in the backup. ` +
        "Neither is what was bought with it: the buyer was probably given the " +
        "figures. Note it for your accountant, or give the EUR 1 back at the " +
        "processor";
    case "dispute_unknown":
      return `The dispute ${item.disputeId} is over a payment that is not in ` +
        "the backup. Answer it at the processor";
    case "movement_unknown":
      return `The movement ${item.movementId}` +
        `${item.paymentId === null ? "" : ` of payment ${item.paymentId}`} ` +
        "belongs to nothing in the backup. Look it up at the processor and " +
        "note it for your accountant";
    case "not_all_read":
      return `There is more at the processor than a review reads ` +
        `(${item.what}). Look through the rest there, from the time of the ` +
        "backup on";
    case "not_adopted":
      return `${adoptableText(item.item)}: ${item.why}. ${restText(item.item)}`;
    default:
      return adoptedText(item);
  }
}

/** The same of what the release takes over. */
function adoptedText(item: AdoptableItem): string {
  switch (item.kind) {
    case "day_sold":
      return `${item.day} was sold: the invoice ${item.invoiceId} is paid. ` +
        "The release settles the day with that bid and charges nobody";
    case "invoice_to_book":
      return `The invoice ${item.invoiceId} of ${item.day} stands otherwise ` +
        "at the processor. The release takes it over";
    case "refund_to_book":
      return `Money of the invoice ${item.invoiceId} was given back. The ` +
        "release books it";
    case "refund_came_back":
      return `The refund ${item.refundId} of the invoice ${item.invoiceId} ` +
        "came back from the buyer's bank. The release books it; order it " +
        "again where the buyer is to have the money";
    case "figures_to_book":
      return `The payment ${item.paymentId} for figures was decided. The ` +
        "release takes it over, with the checkout it paid for";
    case "dispute_to_book":
      return `The dispute ${item.disputeId} opened or moved. The release ` +
        "books it";
    case "transfer_to_book":
      return `The transfer ${item.transferId} to a partner was made, or taken ` +
        "back. The release books it";
  }
}

/** What can be done about what could not be taken over. */
function restText({ kind }: AdoptableItem): string {
  return kind === "day_sold"
    ? "Acknowledge it: where its ad alone can't be shown, the sale stands and " +
      "is booked, nobody else is charged, and a house advertisement is shown; " +
      "else the day waits until that is mended. If the buyer is to have the " +
      "money back, give it back at the processor before: that is booked as well"
    : "A day or payment that it is about waits until that is mended";
}

function adoptableText(item: AdoptableItem): string {
  return `Could not take over what this names (${
    adoptedText(item).split(". ")[0]
  })`;
}
