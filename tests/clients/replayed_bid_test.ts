/** What the command line says of a bid whose answer is one of earlier. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { closeAuction } from "../../domain/settlement/close_auction.ts";
import { settleDay } from "../../domain/settlement/settle_day.ts";
import { BIDDERS_MANDATE } from "../interop/support/bidder.ts";
import { readyToBid } from "../interop/support/bidder.ts";
import { logIn, logInToBid, withCli } from "./cli_world.ts";

/** What `bid --json` says. */
interface Placed {
  key: string;
  auction: { phase: string };
  replayed: boolean;
  stands: boolean | null;
  bid: { amount_cents: number; status: string } | null;
}

withCli(
  "never says of a bid that was raised since that it stands",
  async (given) => {
    const { cli } = given;
    const { day, ad_id } = await logInToBid(given);
    const bid = ["bid", "--ad", ad_id, "--day", day, "--cents"];
    const first = await cli.json<Placed>(...bid, "1000");
    assertEquals([first.replayed, first.stands, first.bid], [
      false,
      true,
      null,
    ]);
    const key = ["--key", first.key];
    const still = await cli.run([...bid, "1000", ...key]);
    assertStringIncludes(still.stdout, "nothing new is placed now");
    assertStringIncludes(still.stdout, "It still stands");

    await cli.json(...bid, "1200");
    const { code, stdout } = await cli.run([...bid, "1000", ...key]);
    assertEquals(code, 0);
    assertStringIncludes(stdout, "It stands no more");
    assertStringIncludes(
      stdout,
      `your bid on ${day} is EUR 12.00 with ${ad_id}, active`,
    );
    assert(!stdout.includes("still stands"));
    const told = await cli.json<Placed>(...bid, "1000", ...key);
    assertEquals([told.replayed, told.stands], [true, false]);
    assertEquals(told.bid?.amount_cents, 1200);
    assertStringIncludes(
      (await cli.run(["bids", day])).stdout,
      `Your bid on ${day}: EUR 12.00`,
    );
  },
);

withCli("says of a replayed bid how the day ended", async (given) => {
  const { cli, world } = given;
  const { day, ad_id } = await logInToBid(given);
  const bid = ["bid", "--ad", ad_id, "--day", day, "--cents", "1000"];
  const { key } = await cli.json<Placed>(...bid);
  const again = [...bid, "--key", key];
  const { services } = world.service.service.core;
  world.pass(2 * 86_400_000);
  await closeAuction(services, { day });
  const closed = await cli.run(again);
  assertStringIncludes(closed.stdout, "The auction has closed");
  assert(!closed.stdout.includes("closes at"));
  const { user_id } = await cli.json<{ user_id: string }>("me");
  // Nobody is charged for an advertisement that may not be shown.
  await services.store.transact(async (tx) => {
    const creative = await tx.creatives.find(user_id, ad_id);
    assert(creative !== null);
    tx.creatives.save({ ...creative, state: "rejected" });
  });
  assertEquals((await settleDay(services, { day })).state, "settled");
  const over = await cli.json<Placed>(...again);
  assertEquals([over.replayed, over.stands], [true, false]);
  assertEquals([over.bid?.status, over.auction.phase], ["void", "CLOSED"]);
  assertStringIncludes((await cli.run(again)).stdout, "void");
});

withCli("says when it may not read what became of a bid", async (given) => {
  const { cli, world } = given;
  const scopes = ["account:read", "bids:write"] as const;
  const answer = { scopes, mandate: BIDDERS_MANDATE };
  assertEquals((await logIn(given, answer)).code, 0);
  const { user_id } = await cli.json<{ user_id: string }>("me");
  const { day, ad_id } = await readyToBid(world, user_id);
  const bid = ["bid", "--ad", ad_id, "--day", day, "--cents", "1000"];
  const { key } = await cli.json<Placed>(...bid);
  const again = await cli.run([...bid, "--key", key]);
  assertEquals(again.code, 0);
  assertStringIncludes(again.stdout, "What you bid now could not be read");
  assertStringIncludes(again.stdout, `${cli.command} bids ${day}`);
  const told = await cli.json<Placed>(...bid, "--key", key);
  assertEquals([told.replayed, told.stands, told.bid], [true, null, null]);
  const bids = await cli.run(["bids", day]);
  assertEquals(bids.code, 1);
  assertStringIncludes(bids.stderr, `${cli.command} login --scope`);
});
