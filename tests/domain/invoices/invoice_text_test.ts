import { assertEquals } from "@std/assert";
import { footerText, lineText } from "../../../domain/invoices/invoice_text.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { TEST_SELLER } from "../../support/seller.ts";

const SELLER_LINE =
  "Spotlight Example SIA, Example iela 1, LV-1010 Riga, LV\n" +
  "VAT id LV00000000000, billing@example.com";

Deno.test("lineText() names the day that was sold and when it is shown", () => {
  const hours = { opensAtMinute: 0, closesAtMinute: 1_435 };
  assertEquals(
    lineText(dayText("2026-12-31"), hours),
    "Spotlight of 2026-12-31: the featured advertisement, shown " +
      "31 Dec 23:55 – 1 Jan 23:55 UTC",
  );
});

Deno.test("footerText() says who sells", () => {
  const contained = { country: "LV", rate: 2_100 };
  assertEquals(
    footerText(TEST_SELLER, { treatment: "domestic", contained }),
    SELLER_LINE,
  );
});

Deno.test("footerText() has the words that a reversed charge needs", () => {
  const contained = { country: "LV", rate: 0 };
  assertEquals(
    footerText(TEST_SELLER, { treatment: "reverse_charge", contained }),
    "Reverse charge – VAT to be accounted for by the recipient (Art. 196 " +
      `Directive 2006/112/EC).\n${SELLER_LINE}`,
  );
});

Deno.test("footerText() says why nothing is due outside the Union", () => {
  assertEquals(
    footerText(TEST_SELLER, { treatment: "outside_scope", contained: null }),
    "Outside the scope of EU VAT: the service is supplied where the recipient " +
      `is established (Art. 44 Directive 2006/112/EC).\n${SELLER_LINE}`,
  );
});
