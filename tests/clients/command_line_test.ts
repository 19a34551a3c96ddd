/** The command line as a process of its own, against a running service. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { addDays, dayOf } from "../../domain/day.ts";
import { closeAuction } from "../../domain/settlement/close_auction.ts";
import { settleDay } from "../../domain/settlement/settle_day.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { until } from "../support/until.ts";
import { untilIndexed } from "../support/until_indexed.ts";
import { errorOf, logIn, logInToBid, withCli } from "./cli_world.ts";

/** A bid as `bid --json` tells of it. */
interface Placed {
  key: string;
  auction: { bidCount: number };
}

withCli(
  "logs in by the browser, bids, raises, is told no, and logs out",
  async (given) => {
    const { cli } = given;
    const { stdout } = await logIn(given);
    assertStringIncludes(stdout, `To connect to ${given.world.baseUrl}, open`);
    assertStringIncludes(
      stdout,
      `Next: See whether you may bid: ${cli.command} me\n`,
    );
    const { day, ad_id } = await logInToBid(given);
    const { mode } = await Deno.stat(cli.credentials);
    assertEquals((mode ?? 0) & 0o777, 0o600);

    const bid = ["bid", "--ad", ad_id, "--day", day, "--cents"];
    const me = ["me", "--ad", ad_id, "--day", day, "--cents", "1000"];
    assertStringIncludes((await cli.run(me)).stdout, "Bid: ready");
    const first = await cli.json<Placed>(...bid, "1000");
    const again = await cli.json<Placed>(...bid, "1000", "--key", first.key);
    assertEquals([again.key, again.auction.bidCount], [first.key, 1]);
    const raised = await cli.run([...bid, "1200"]);
    assertStringIncludes(
      raised.stdout,
      `Your bid of EUR 12.00 on ${day} stands`,
    );

    const lower = await cli.run([...bid, "1100", "--json"]);
    assertEquals([lower.code, errorOf(lower).code], [1, "CONFLICT"]);
    const beyond = await cli.run([...bid, "6000"]);
    assertEquals(beyond.code, 1);
    assertStringIncludes(
      beyond.stderr,
      `Bid less, or run \`${cli.command} login\``,
    );
    assertStringIncludes((await cli.run(["report"])).stdout, "No day was won");

    const kept = async () =>
      JSON.parse(await Deno.readTextFile(cli.credentials))
        .logins[given.world.baseUrl];
    const { clientId, tokens: { access } } = await kept();
    assertEquals((await cli.run(["logout"])).code, 0);
    const answer = await fetch(`${given.world.authUrl}/v1/agent/me`, {
      headers: { authorization: `Bearer ${access}` },
    });
    await answer.body?.cancel();
    assertEquals(answer.status, 401);
    const after = await cli.run(me);
    assertEquals(after.code, 3);
    assertStringIncludes(after.stderr, `Run \`${cli.command} login\``);
    const { baseUrl } = given.world;
    const named = await cli.run(["me", "--url", baseUrl]);
    assertStringIncludes(named.stderr, `${cli.command} --url ${baseUrl} login`);
    // The next login is the same client: nothing is registered twice.
    assertEquals((await logIn(given)).code, 0);
    assertEquals((await kept()).clientId, clientId);
  },
);

withCli(
  "replaces its tokens when they end, and says when the connection has ended",
  async (given) => {
    const { cli, world, ada } = given;
    assertEquals((await logIn(given)).code, 0);
    const before = await Deno.readTextFile(cli.credentials);
    world.pass(3_600_000);
    await cli.json("me");
    assert(await Deno.readTextFile(cli.credentials) !== before);
    await ada.revokeAgent();
    const ended = await cli.run(["me", "--json"]);
    assertEquals(ended.code, 3);
    assertStringIncludes(errorOf(ended).message, "has ended");
  },
);

withCli(
  "ends with 1 when the person says no, and keeps nothing",
  async (given) => {
    const denied = await logIn(given, { decision: "deny" });
    assertEquals(denied.code, 1);
    assertStringIncludes(denied.stderr, "It was not approved in the browser");
    assertEquals((await given.cli.run(["me"])).code, 3);
  },
);

withCli(
  "streams what it finds, of which no advertiser moves the cursor",
  async ({ world, cli }) => {
    const { service } = world.service;
    const { services, records } = service.core;
    await untilIndexed(service);
    const day = addDays(dayOf(services.clock.now()), -1);
    await settle(services.store, {
      ...spotlight(day),
      headline: "Bikes\u001b[2J\u202e for all",
    });
    await records.refreshNow();
    const found = await cli.run(["ask", "bikes", "for", "all"]);
    assertEquals([found.code, found.stderr], [0, ""]);
    assertStringIncludes(found.stdout, "1. ");
    const raise = await cli.run(["ask", "raise a bid", "--limit", "1"]);
    assertStringIncludes(
      raise.stdout,
      '1. Place and raise a bid, in "Spotlight for developers"',
    );
    assertStringIncludes(raise.stdout, "To raise a bid, send an amount");
    assert(!/[\u202e]|(?!\n)\p{Cc}/u.test(found.stdout));
    const lines = await cli.run(["ask", "mandate", "--json"]);
    const items = lines.stdout.trim().split("\n").map((line) =>
      JSON.parse(line)
    );
    assertEquals(items.length, 3);
    assertEquals(items[0]["@type"], "CreativeWork");
    const few = await cli.run(["ask", "mandate"]);
    assertEquals(few.stdout.match(/^\d+\. /gm)?.length, 3);
    assert(few.stdout.split("\n").every((line) => line.length < 320));
    assertStringIncludes(few.stdout, "more with --all");
    const all = await cli.run(["ask", "mandate", "--all"]);
    assert((all.stdout.match(/^\d+\. /gm)?.length ?? 0) > 10);
    assert(all.stdout.length > few.stdout.length * 3 && all.stderr === "");
    const one = await cli.json<{ text: string }>(
      ...["ask", "mandate", "--limit", "1"],
    );
    assertStringIncludes(all.stdout, one.text.split("\n")[0] ?? "");
  },
);

withCli("waits until a day has settled", async (given) => {
  const { cli, world } = given;
  assertEquals((await logIn(given)).code, 0);
  const { services, records } = world.service.service.core;
  const day = dayOf(services.clock.now());
  await using process = cli.start(["watch", day, "--every", "1", "--json"]);
  await settle(services.store, spotlight(day));
  await records.refreshNow();
  const { code, stdout } = await process.ended;
  const { bid, spotlight: shown } = JSON.parse(stdout);
  assertEquals([code, bid, shown.day], [0, null, day]);
});

withCli(
  "is woken by the event of its bid, and says what became of it",
  async (given) => {
    const { cli, world } = given;
    const { day, ad_id } = await logInToBid(given);
    await cli.json(...["bid", "--ad", ad_id, "--day", day, "--cents", "1000"]);
    const { user_id } = await cli.json<{ user_id: string }>("me");
    // Nothing but an event ends the wait before the day after.
    const args = ["watch", day, "--every", "100000"];
    await using process = cli.start(args);
    const looked = /"GET","route":"\/v1\/agent\/bids"/;
    await until(() => looked.test(world.service.logged()));
    const { services } = world.service.service.core;
    world.pass(86_400_000);
    await closeAuction(services, { day });
    // Nobody is charged for an advertisement that may not be shown.
    await services.store.transact(async (tx) => {
      const creative = await tx.creatives.find(user_id, ad_id);
      assert(creative !== null);
      tx.creatives.save({ ...creative, state: "rejected" });
    });
    assertEquals((await settleDay(services, { day })).state, "settled");
    const { code, stdout } = await process.ended;
    assertEquals(code, 0);
    assertStringIncludes(stdout, "Your bid of EUR 10.00: void");
  },
);
