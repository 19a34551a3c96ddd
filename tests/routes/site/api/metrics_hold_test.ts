/** What a payer is told while the store is on hold after a restore. */
import { assert, assertEquals } from "@std/assert";
import {
  offer,
  openPaidWorld,
  type PaidWorld,
} from "../../../support/paid_world.ts";
import { endHold, putOnHold } from "../../../support/restored_world.ts";

async function assertOnHold(answer: Response): Promise<void> {
  assertEquals(answer.status, 503);
  assert(Number(answer.headers.get("retry-after")) >= 1);
  assertEquals(answer.headers.get("www-authenticate"), null);
  const { detail } = await answer.json();
  assert(detail.includes("on hold until an operator releases it"), detail);
}

async function nothingWasWritten(shop: PaidWorld, id = ""): Promise<void> {
  assertEquals(await shop.taken(), { charged: [], refunded: [] });
  assertEquals(await shop.services.store.metricsPayments.find(id), null);
}

Deno.test("GET /metrics charges no token while the store is on hold, and the same one afterwards", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  await putOnHold(shop.services);
  await assertOnHold(await shop.ask({ authorization }));
  await nothingWasWritten(shop, challenge["id"]);
  await endHold(shop.services);
  assertEquals((await shop.ask({ authorization })).status, 200);
  assertEquals(await shop.taken(), { charged: [100], refunded: [] });
});

Deno.test("GET /metrics asks nobody for a token while the store is on hold", async () => {
  await using shop = await openPaidWorld();
  await putOnHold(shop.services);
  await assertOnHold(await shop.ask());
});

Deno.test("GET /metrics answers who has paid before, on hold too", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop);
  const key = "key-1";
  const paid = await (await shop.ask({ authorization, key })).json();
  await putOnHold(shop.services);
  const again = await shop.ask({ authorization, key });
  assertEquals([again.status, await again.json()], [200, paid]);
});
