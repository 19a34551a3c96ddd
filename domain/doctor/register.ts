import type { VatSource } from "../accounts/vat_registry.ts";
import { type Finding, trouble, well } from "./finding.ts";

const REGISTER = "VAT register";

/** Whether the register knows the seller, without which it knows nobody. */
export async function checkRegister(
  vatRegistry: VatSource,
  vatId: string,
): Promise<Finding> {
  const { outcome } = await vatRegistry.check(vatId);
  switch (outcome) {
    case "valid":
      return well(REGISTER, "The register answers, and knows SELLER_VAT_ID.");
    case "invalid":
      return trouble(
        REGISTER,
        "The register does not know SELLER_VAT_ID, and so checks no other: " +
          "correct it.",
      );
    case "unknown":
      return trouble(
        REGISTER,
        "The register does not answer: try again in an hour. VAT ids wait " +
          "for it meanwhile.",
      );
  }
}
