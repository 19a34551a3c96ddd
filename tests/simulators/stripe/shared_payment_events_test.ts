import { assertEquals } from "@std/assert";
import type { GrantedToken } from "../../../simulators/stripe/mod.ts";
import {
  type Bench,
  chargeToken,
  grantToken,
  refusal,
  revokeToken,
  withSimulator,
} from "./support.ts";

/** What a webhook endpoint was told: the type, and the object as it then was. */
interface Told {
  type: string;
  data: { object: GrantedToken };
}

const USED = "shared_payment.granted_token.used";
const DEACTIVATED = "shared_payment.granted_token.deactivated";

/** Runs a test with an endpoint; `told` waits until all was delivered. */
async function withTold(
  run: (bench: Bench, told: () => Promise<Told[]>) => Promise<void>,
): Promise<void> {
  const got: Told[] = [];
  await using server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: () => {},
  }, async (request) => {
    got.push(await request.json());
    return new Response();
  });
  const url = `http://127.0.0.1:${server.addr.port}/`;
  await withSimulator(async (bench) => {
    await run(bench, async () => {
      await bench.sim.control.webhooks.idle();
      return got.filter(({ type }) => type.startsWith("shared_payment."));
    });
  }, { webhook: { url, secret: "whsec_1" } });
}

/** Events in short: what happened, captured so far, why out of use. */
function summary(told: Told[]): [string, number, string | null][] {
  return told.map(({ type, data: { object } }) => [
    type,
    object.usage_details.amount_captured?.value ?? 0,
    object.deactivated_reason,
  ]);
}

Deno.test("Webhooks tell of each use of a token and of its consumption", () =>
  withTold(async ({ stripe }, told) => {
    const { id } = await grantToken(stripe, { maxAmount: 200 });
    await chargeToken(stripe, id);
    await chargeToken(stripe, id);
    assertEquals(summary(await told()), [
      [USED, 100, null],
      [USED, 200, null],
      [DEACTIVATED, 200, "consumed"],
    ]);
    assertEquals(
      (await told()).every(({ data }) => data.object.id === id),
      true,
    );
  }));

Deno.test("Webhooks tell of a token's revocation", () =>
  withTold(async ({ stripe }, told) => {
    const { id } = await grantToken(stripe);
    await revokeToken(stripe, id);
    assertEquals(summary(await told()), [[DEACTIVATED, 0, "revoked"]]);
  }));

Deno.test("Webhooks tell of an expiry once, when the token is next looked at", () =>
  withTold(async ({ stripe, clock }, told) => {
    const expiresAt = clock.nowMs / 1_000 + 60;
    const { id } = await grantToken(stripe, { expiresAt });
    clock.advance(120_000);
    assertEquals(await told(), []);
    await refusal(chargeToken(stripe, id));
    await refusal(chargeToken(stripe, id));
    assertEquals(summary(await told()), [[DEACTIVATED, 0, "expired"]]);
  }));

Deno.test("Webhooks tell nothing of a token when its payment is declined or waits", () =>
  withTold(async ({ stripe, sim }, told) => {
    const { id } = await grantToken(stripe);
    sim.control.addFault({ kind: "decline" });
    await refusal(chargeToken(stripe, id));
    sim.control.addFault({ kind: "requires_action" });
    const { id: intent } = await chargeToken(stripe, id);
    assertEquals(await told(), []);
    sim.control.resolvePayment(intent, "succeed");
    assertEquals(summary(await told()), [
      [USED, 100, null],
      [DEACTIVATED, 100, "consumed"],
    ]);
  }));
