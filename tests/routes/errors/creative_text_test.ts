import { assertEquals } from "@std/assert";
import { creativeText } from "../../../routes/errors/creative_text.ts";

const rejected = (action: "submit" | "archive") =>
  creativeText({
    kind: "wrong_state",
    action,
    adId: "ad_1",
    state: "rejected",
  });

Deno.test("submitting a rejected creative is answered with the way on", () => {
  assertEquals(
    rejected("submit"),
    'Cannot submit creative "ad_1": it was rejected. Change it (PATCH, or ' +
      "the tool update_creative): that makes a new draft, which you can submit",
  );
  assertEquals(
    rejected("archive"),
    'Cannot archive creative "ad_1": it was rejected',
  );
});
