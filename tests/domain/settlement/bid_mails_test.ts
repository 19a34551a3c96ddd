/** What the mails to bidders say, word for word where money is concerned. */
import { assertStringIncludes } from "@std/assert";
import { shownWindow } from "../../../domain/auction/auction.ts";
import type { MailContent } from "../../../domain/mail/mail_content.ts";
import { renderMail } from "../../../domain/mail/render_mail.ts";
import {
  type EndedBid,
  lostMail,
  paymentFailedMail,
} from "../../../domain/settlement/bid_mails.ts";
import { wordsOfVoid } from "../../../domain/settlement/void_reasons.ts";
import {
  AUCTION_DAY as day,
  TEST_SETTINGS,
} from "../../support/auction_world.ts";
import { wordsOf } from "../../support/mail_words.ts";

const ENDED: EndedBid = {
  to: "ada@example.com",
  bid: { day, amountCents: 500 },
  shown: shownWindow(day, TEST_SETTINGS.auctionHours),
};

const SETTLED_MS = Date.parse(`${day}T23:56:00.000Z`);

function assertSays(mail: MailContent, words: string): void {
  assertStringIncludes(wordsOf(renderMail(mail)), words);
}

Deno.test("whose card was refused is told that the bid did not win, and that nothing is charged", () => {
  const failed = { card: { brand: "visa", last4: "0341" } };
  const mail = paymentFailedMail(TEST_SETTINGS, ENDED, failed, SETTLED_MS);
  assertSays(
    mail,
    "ending in 0341 was refused, so your bid for 2026-11-20 did not win. You " +
      "are not charged.",
  );
});

Deno.test("whose payment was never answered is told that the money comes back, and whom to ask", () => {
  const mail = paymentFailedMail(TEST_SETTINGS, ENDED, null, SETTLED_MS);
  assertSays(
    mail,
    "could not be completed, so we cancelled it, and the bid for 2026-11-20 " +
      "did not win. You are not charged; should money be taken all the same, " +
      "you get it back.",
  );
  assertSays(
    mail,
    "There is nothing to do, and you can bid again. Questions? Write to " +
      `${TEST_SETTINGS.seller.email}.`,
  );
});

Deno.test("who lost is told the next auction that takes a bid when the mail is written", () => {
  for (
    const [at, next] of [
      [`${day}T12:00:00.000Z`, "2026-11-21"],
      ["2026-11-21T23:54:59.999Z", "2026-11-21"],
      ["2026-11-21T23:55:00.000Z", "2026-11-22"],
    ] as const
  ) {
    assertSays(
      lostMail(TEST_SETTINGS, ENDED, Date.parse(at)),
      `The auction for ${next} closes on ${next} 23:55 UTC.`,
    );
  }
});

Deno.test("whose VAT had changed is told why the bid is void", () => {
  assertStringIncludes(
    wordsOfVoid("who owes the VAT has changed").why,
    "changed meanwhile, so the invoice would have been wrong",
  );
});
