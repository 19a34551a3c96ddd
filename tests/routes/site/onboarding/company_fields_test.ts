import { assert, assertEquals } from "@std/assert";
import { errorsOf } from "../../../../routes/site/onboarding/company_fields.ts";

Deno.test("errorsOf() says which VAT ids pass in development alone", () => {
  const faults = { vatId: "no_vat_id" } as const;
  const there = errorsOf(faults, { environment: "development" }).vatId ?? "";
  assert(there.endsWith("In development any of that form passes."), there);
  for (const environment of ["preview", "production"] as const) {
    const { vatId = "" } = errorsOf(faults, { environment });
    assert(there.startsWith(vatId) && !vatId.includes("evelopment"), vatId);
  }
  const other = errorsOf({ name: "missing" }, { environment: "development" });
  assertEquals(other, { name: "Enter the company’s name." });
});
