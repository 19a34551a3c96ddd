import { assertStringIncludes } from "@std/assert";
import { runService } from "../support/running_service.ts";

for (
  const [SELLER_COUNTRY, SELLER_VAT_ID, vat] of [
    ["LV", "LV40003000000", "21 % of LV"],
    ["MC", "FR12345678901", "20 % of MC"],
    ["CH", "CHE123456789", "0 % of CH"],
  ] as const
) {
  Deno.test(`a start says in the log which VAT applies: ${vat}`, async () => {
    const env = { SELLER_COUNTRY, SELLER_VAT_ID };
    await using running = await runService({ env });
    await running.service.stop();
    assertStringIncludes(running.logged(), `"vat":"${vat}"`);
  });
}
