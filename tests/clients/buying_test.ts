/** Click figures that a program buys with the typed client, as its README says. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  type AnswerOf,
  type Client,
  createClient,
} from "../../clients/api/client.js";
import { addDays, dayOf } from "../../domain/day.ts";
import { ROOT } from "../../tools/own_modules.ts";
import { inWorld } from "../interop/support/world.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { grantToken, sdk } from "../simulators/stripe/support.ts";

interface Bought {
  data: AnswerOf<"readMetrics">["data"];
  paid: AnswerOf<"readMetrics">["paid"];
  headers: { Authorization: string; "Idempotency-Key": string };
}

type Buy = (
  client: Client,
  day: string,
  tokenFor: () => Promise<string>,
) => Promise<Bought>;

/** What the README has for it, as a function. */
async function buyOfReadme(folder: string): Promise<Buy> {
  const text = await Deno.readTextFile(`${ROOT}clients/README.md`);
  const [, code = ""] = /```js buy\n([\s\S]*?)```/.exec(text) ?? [];
  assertStringIncludes(code, "await ask(headers)");
  const file = `${folder}/buy.mjs`;
  await Deno.writeTextFile(
    file,
    "export default async (client, day, tokenFor) => {\n" +
      `${code}return { data, paid, headers };\n};\n`,
  );
  return (await import(`file://${file}`)).default;
}

Deno.test("the typed client buys figures as its README says, and has a lost report again by both headers", async () => {
  const folder = await Deno.makeTempDir({ prefix: "spotlight_buy_" });
  const buy = await buyOfReadme(folder);
  await inWorld(async (world) => {
    const { services, records } = world.service.service.core;
    const day = addDays(dayOf(services.clock.now()), -1);
    await settle(services.store, spotlight(day));
    await records.refreshNow();
    const { processorUrl, secretKey } = world.processor;
    const client = createClient({ baseUrl: world.baseUrl });
    const stripe = sdk(Number(new URL(processorUrl).port), secretKey);
    const tokenFor = async () =>
      (await grantToken(stripe, { maxAmount: 100 })).id;
    const { data, paid, headers } = await buy(client, day, tokenFor);
    assertEquals([data.day, paid], [day, { cents: 100, currency: "eur" }]);

    const path = { day };
    const again = await client.answer("readMetrics", { path, headers });
    assertEquals(again.headers.get("idempotent-replayed"), "true");
    assertEquals(again.body, { data, paid });
  });
  await Deno.remove(folder, { recursive: true });
});
