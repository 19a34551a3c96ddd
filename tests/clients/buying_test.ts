/** What a program does with the typed client, as its README says. */
import { assert, assertEquals } from "@std/assert";
import {
  type AnswerOf,
  type Client,
  createClient,
  NotReached,
} from "../../clients/api/client.js";
import { addDays, dayOf } from "../../domain/day.ts";
import { ROOT } from "../../tools/own_modules.ts";
import { inWorld } from "../interop/support/world.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { Cli } from "../support/cli.ts";
import { logInToBid } from "./cli_world.ts";
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

type PlaceBid = (
  client: Client,
  day: string,
  ad_id: string,
  missed: typeof NotReached,
) => Promise<AnswerOf<"placeBid">>;

/** A block of the README as a function. */
async function ofReadme<Does>(
  block: string,
  { takes, answers }: { takes: string; answers: string },
): Promise<Does> {
  const text = await Deno.readTextFile(`${ROOT}clients/README.md`);
  const [, code = ""] =
    new RegExp(`\`\`\`js ${block}\n([^]*?)\`\`\``).exec(text) ?? [];
  assert(code !== "", block);
  const folder = await Deno.makeTempDir({ prefix: "spotlight_readme_" });
  const file = `${folder}/${block}.mjs`;
  await Deno.writeTextFile(
    file,
    `export default async (${takes}) => {\n${code}return ${answers};\n};\n`,
  );
  const { default: does } = await import(`file://${file}`);
  await Deno.remove(folder, { recursive: true });
  return does;
}

Deno.test("the typed client buys figures as its README says, and has a lost report again by both headers", async () => {
  const buy = await ofReadme<Buy>("buy", {
    takes: "client, day, tokenFor",
    answers: "{ data, paid, headers }",
  });
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
});

Deno.test("the typed client places a bid as its README says, once though its answer was lost", async () => {
  const place = await ofReadme<PlaceBid>("bid", {
    takes: "client, day, ad_id, NotReached",
    answers: "{ phase, bidCount }",
  });
  await inWorld(async (world) => {
    await using cli = await Cli.make("deno", world.baseUrl);
    const given = { world, cli, ada: world.user("ada") };
    const { day, ad_id } = await logInToBid(given);
    const { baseUrl, authUrl } = world;
    const { logins } = JSON.parse(await Deno.readTextFile(cli.credentials));
    let lost = 0;
    const client = createClient({
      baseUrl,
      authUrl,
      token: () => logins[baseUrl].tokens.access,
      async fetch(...asked) {
        const answer = await fetch(...asked);
        if (lost++ > 0) return answer;
        await answer.body?.cancel();
        throw new TypeError("connection reset");
      },
    });
    const placed = await place(client, day, ad_id, NotReached);
    assertEquals([placed.phase, placed.bidCount, lost], ["OPEN", 1, 2]);
    const { bids } = await client.call("listBids", { query: { day } });
    assertEquals(bids.map(({ amount_cents }) => amount_cents), [2_500]);
  });
});
