import { assert, assertEquals } from "@std/assert";
import { answerOf, assertProblem, openOperatorSite } from "./operator_site.ts";

const TODAY = "2026-11-20";

Deno.test("POST refund of a day nobody paid for is a conflict", async () => {
  await using site = await openOperatorSite();
  for (const action of ["open", "close", "settle"]) {
    await answerOf(await site.operate("POST", `auctions/${TODAY}/${action}`));
  }
  const answer = await site.operate("POST", `spotlights/${TODAY}/refund`, {
    body: { note: "goodwill" },
  });
  await assertProblem(
    answer,
    409,
    "CONFLICT",
    `Cannot give back the money of ${TODAY}: nobody paid for it, or a dispute ` +
      "took it",
  );
});

Deno.test("POST refund without a note is refused", async () => {
  await using site = await openOperatorSite();
  for (const body of [{}, { note: " " }, { note: 7 }, { note: "a", more: 1 }]) {
    const answer = await site.operate("POST", `spotlights/${TODAY}/refund`, {
      body,
    });
    assertEquals(answer.status, 400);
    const { code, detail } = await answer.json();
    assertEquals(code, "VALIDATION_FAILED");
    assert(detail.startsWith("Cannot give the money back: "), detail);
  }
});

Deno.test("money routes need the operator's key", async () => {
  await using site = await openOperatorSite();
  for (
    const path of [
      `spotlights/${TODAY}/refund`,
      `reconciliations/${TODAY}`,
    ]
  ) {
    const answer = await site.operate("POST", path, { key: null });
    assertEquals(answer.status, 401, path);
    await answer.body?.cancel();
  }
});
