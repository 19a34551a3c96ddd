/** The command line speaks of its own commands, and takes options anywhere. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { BIDDERS_MANDATE } from "../interop/support/bidder.ts";
import { WORKING_SET } from "../support/working_set.ts";
import { nextLine } from "../../clients/cli/own_words.js";
import { STARTED } from "../../clients/cli/started.js";
import { AGENT_TOOLS } from "../../domain/readiness/next_action.ts";
import { logIn, logInToBid, withCli } from "./cli_world.ts";

/** Names of the interface, which tell who types commands nothing. */
const OF_THE_INTERFACE =
  /\b(?:ad_id|amount_cents|next_action|(?:get|list|submit|update|place)_[a-z_]+|GET|POST)\b|\/v1\/agent/;

withCli("names its own commands where one does it", async (given) => {
  const { cli, world } = given;
  const { day, ad_id } = await logInToBid(given);
  const { command } = cli;
  const said = async (args: readonly string[]) => {
    const { stdout, stderr } = await cli.run(args);
    const all = stdout + stderr;
    assert(!OF_THE_INTERFACE.test(all), all);
    assert(!all.includes(world.authUrl), all);
    return all;
  };
  assertStringIncludes(
    await said(["me"]),
    `Next: Say which bid you mean: ${command} me --day … --ad … --cents …`,
  );
  const bid = ["--day", day, "--ad", ad_id, "--cents"];
  assertStringIncludes(
    await said(["me", ...bid, "1000"]),
    `Next: Place the bid: ${command} bid --day ${day} --ad ${ad_id} ` +
      "--cents 1000",
  );
  const beyond = await said(["me", ...bid, "6000"]);
  assertStringIncludes(beyond, "--cents can be 5000 at most");
  assertStringIncludes(
    beyond,
    `Name an amount of 5000 cents at most: ${command} me --day ${day}`,
  );
  assertStringIncludes(
    await said(["bid", ...bid, "6000"]),
    `\`${command} me ${bid.join(" ")} 6000\` says what helps`,
  );
  assertStringIncludes(
    await said(["me", "--ad", "ad_none"]),
    `\`${command} ads\` lists those of the account`,
  );
  assertStringIncludes(
    await said(["me", "--ad", "ad_none"]),
    `or write one: ${command} ads`,
  );
});

withCli(
  "says all limits of the mandate, and what is left of them",
  async (given) => {
    const { cli } = given;
    const mandate = { ...BIDDERS_MANDATE, totalEuros: "200" };
    assertEquals((await logIn(given, { mandate })).code, 0);
    const { stdout } = await cli.run(["me"]);
    const [, said = ""] = /^Mandate: .*\n(.*)$/m.exec(stdout) ?? [];
    assertStringIncludes(said, "EUR 80.00 of EUR 80.00 are left today");
    assertStringIncludes(
      said,
      "EUR 200.00 of EUR 200.00 are left in all until it ends",
    );
    assertStringIncludes(said, "EUR 50.00 are the most for one bid");
    const beyond = await cli.run(["me", "--cents", "6000"]);
    assertStringIncludes(
      beyond.stdout,
      "  mandate: The mandate allows EUR 50.00 for one bid; --cents can be 5000 " +
        "at most; EUR 200.00 of EUR 200.00 are left in all until it ends",
    );
  },
);

withCli(
  "asks for what the service names as an agent's daily work",
  async (given) => {
    const { cli, world } = given;
    await using process = cli.start(["login", "--no-browser"]);
    const url = await process.line((line) => line.startsWith("http"));
    const answer = await fetch(`${world.authUrl}/v1/agent/me`);
    await answer.body?.cancel();
    const challenge = answer.headers.get("www-authenticate") ?? "";
    const [, named] = /scope="([^"]+)"/.exec(challenge) ?? [];
    assertEquals(new URL(url).searchParams.get("scope"), named);
    assertEquals(named, WORKING_SET);
    assertStringIncludes((await cli.run(["help"])).stdout, WORKING_SET);
    await given.ada.authorize(url, { decision: "deny" });
    assertEquals((await process.ended).code, 1);
  },
);

withCli("says by which command it is allowed more", async (given) => {
  const { cli } = given;
  const { day, ad_id } = await logInToBid(given);
  assertEquals((await logIn(given, { scopes: ["account:read"] })).code, 0);
  const me = ["me", "--day", day, "--ad", ad_id, "--cents", "1000"];
  const { stdout } = await cli.run(me);
  assert(!OF_THE_INTERFACE.test(stdout), stdout);
  assertStringIncludes(
    stdout,
    "Next: Authorize this machine again with the scope bids:write: " +
      `${cli.command} login --scope "account:read bids:write"`,
  );
});

withCli(
  "takes the options of every command before it and behind it, and parts of a second",
  async (given) => {
    const { cli } = given;
    assertEquals((await logIn(given)).code, 0);
    const before = await cli.run(["--json", "--time-limit", "9.5", "me"]);
    const behind = await cli.run(["me", "--json", "--time-limit=9.5"]);
    assertEquals([before.code, before.stderr], [0, ""]);
    const userOf = (text: string) => JSON.parse(text).user_id;
    assertEquals(userOf(before.stdout), userOf(behind.stdout));
    const none = await cli.run(["--url", "http://127.0.0.1:9", "ask", "x"]);
    assertEquals(none.code, 4);
    assertStringIncludes(none.stderr, "127.0.0.1:9");
    const short = await cli.run(["me", "--time-limit", "0.001"]);
    assertEquals(short.code, 4);
    for (
      const wrong of [
        ["--limit", "3", "ask", "x"],
        ["--toString", "me"],
        ["--time-limit", "0", "me"],
      ]
    ) {
      assertEquals((await cli.run(wrong)).code, 2);
    }
    assertEquals((await cli.run(["--json"])).code, 0);
  },
);

Deno.test("the command line has a command for every tool that an action may name", () => {
  for (const tool of Object.keys(AGENT_TOOLS)) {
    const asks = { actor: "agent", label: "Go on", url: "/", tool } as const;
    assertStringIncludes(nextLine(asks, []), STARTED, tool);
  }
});
