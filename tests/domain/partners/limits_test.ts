import { assertEquals, assertStringIncludes } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import {
  CARRIED_MONTHS_MAX,
  COMMISSION_MONTHS,
  COMMISSION_PERCENT,
  PAYOUT_MIN_CENTS,
  PENDING_MS,
  REFERRAL_COOKIE_MS,
  STATEMENT_INVOICES_MIN,
} from "../../../domain/partners/limits.ts";
import { bringsCommission } from "../../../domain/partners/referral.ts";

const PAGE = (await Deno.readTextFile(
  new URL("../../../docs/affiliate.md", import.meta.url),
)).replaceAll(/\s+/g, " ");

Deno.test("the partner programme has the numbers that its page says", () => {
  for (
    const said of [
      `keep the cookie \`svc_ref\` for ${REFERRAL_COOKIE_MS / DAY_MS} days`,
      `commission is ${COMMISSION_PERCENT} % of the net amount`,
      `paid within ${COMMISSION_MONTHS} months of the sign-up`,
      `\`pending\` for ${PENDING_MS / DAY_MS} days at least`,
      `into the next statement, for ${CARRIED_MONTHS_MAX} months at most`,
      `The smallest payout is EUR ${PAYOUT_MIN_CENTS / 100},`,
    ]
  ) assertStringIncludes(PAGE, said);
  assertStringIncludes(PAGE, "A month of fewer than three invoices");
  assertEquals(STATEMENT_INVOICES_MIN, 3);
});

Deno.test("an invoice brings commission that is paid before the months are over, while the referral is credited", () => {
  const referral = {
    partnerId: "acc_p",
    code: "grace",
    signedUpAtMs: 0,
    untilMs: 1_000,
    state: "credited",
  } as const;
  const brings = [0, 999, 1_000].map((atMs) =>
    bringsCommission(referral, atMs)
  );
  assertEquals(brings, [true, true, false]);
  assertEquals(bringsCommission({ ...referral, state: "void" }, 0), false);
});
