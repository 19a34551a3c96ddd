import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Refusal, RefusedBid } from "../../../domain/refusal.ts";
import {
  renderAdvertiserTools,
  renderAgent,
  renderRehearsal,
  renderRehearsedTools,
} from "../../../routes/errors/agent_surface.ts";
import {
  ANSWER_CONTEXT,
  EVERY_REFUSAL,
  partsOf,
  statusesOf,
} from "../../support/answers.ts";
import { dayText } from "../../support/public_spotlights.ts";

const day = dayText("2026-11-20");

/** What is told of a bid besides. */
const BID: { bid: RefusedBid } = {
  bid: {
    day,
    dayState: "open",
    nextDay: { day, opensAtMs: null },
    asked: { day, ad_id: "ad_1", amount_cents: 1_600 },
    readinessUrl: "https://api.spotlight.example/v1/agent/me" +
      "?day=2026-11-20&ad_id=ad_1&amount_cents=1600",
    mostCents: 1_500,
  },
};

Deno.test("refusals name tools and arguments where tools are called, and no request", async () => {
  for (const each of Object.values(EVERY_REFUSAL)) {
    const bid = each.code.startsWith("mandate_") ||
        each.code === "human_step_required"
      ? BID
      : {};
    const refusal = { ...each, ...bid } as Refusal;
    if (statusesOf(renderAgent)[each.code] === "impossible") continue;
    for (const render of [renderAdvertiserTools, renderRehearsedTools]) {
      if (statusesOf(render)[each.code] === "impossible") continue;
      const { body } = await partsOf(render(refusal, ANSWER_CONTEXT));
      const { detail = "" } = body as { detail?: string };
      assert(!/(GET|POST) |\/v1\/|Idempotency-Key/.test(detail), detail);
    }
  }
  const refusal = { ...EVERY_REFUSAL.human_step_required, ...BID };
  const { body } = await partsOf(
    renderAdvertiserTools(refusal as Refusal, ANSWER_CONTEXT),
  );
  assertStringIncludes(
    (body as { detail: string }).detail,
    'next_action of get_account with {"day":"2026-11-20","ad_id":"ad_1",' +
      '"amount_cents":1600} says who acts first; ',
  );
});

Deno.test("a refused bid that the agent itself can mend says so, and by which tool", async () => {
  const bid = { ...BID.bid, agentTool: "get_creative" };
  const refusal = { ...EVERY_REFUSAL.human_step_required, bid };
  for (const render of [renderAdvertiserTools, renderAgent]) {
    const { body } = await partsOf(render(refusal, ANSWER_CONTEXT));
    assertStringIncludes(
      (body as { detail: string }).detail,
      "says that you act first yourself, by get_creative; ",
    );
  }
});

Deno.test("renderRehearsal() sends nobody to the real service", async () => {
  for (const render of [renderRehearsal, renderRehearsedTools]) {
    for (const each of Object.values(EVERY_REFUSAL)) {
      if (statusesOf(render)[each.code] === "impossible") continue;
      const { headers, body } = await partsOf(render(each, ANSWER_CONTEXT));
      const { detail = "" } = body as { detail?: string };
      assertEquals(headers["www-authenticate"], undefined, each.code);
      assert(!detail.includes("https://spotlight.example/"), detail);
    }
  }
});
