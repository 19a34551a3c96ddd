/** The command line where it writes advertisements, and mends what was rejected. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  approveCreative,
  rejectCreative,
} from "../../domain/creatives/review_creative.ts";
import { DECEPTIVE, DESK } from "../domain/creatives/creative_world.ts";
import { errorOf, logIn, logInToBid, withCli } from "./cli_world.ts";

interface Ad {
  ad_id: string;
  state: string;
  headline: string;
  revises: string | null;
}

const COPY = [
  "--headline",
  "Bikes for the rain",
  "--description",
  "Mudguards, lights and a warranty of ten years",
  "--target",
  "https://ada.example/rain",
];

withCli(
  "writes an ad with what its login asks for, has it reviewed, and mends it when it is turned down",
  async (given) => {
    const { cli, world } = given;
    const { services } = world.service.service.core;
    await logInToBid(given);
    const written = await cli.run(["ads", "new", ...COPY]);
    assertEquals([written.code, written.stderr], [0, ""]);
    const [, adId = ""] = /^(ad_\w+): draft/.exec(written.stdout) ?? [];
    assertStringIncludes(written.stdout, `${cli.command} ads ${adId} --submit`);
    const sent = await cli.json<Ad>("ads", adId, "--submit");
    assertEquals(sent.state, "submitted");
    await rejectCreative(services, { adId, by: DESK, typed: DECEPTIVE });

    const told = (await cli.run(["ads", adId])).stdout;
    assertStringIncludes(told, `${adId}: rejected`);
    assertStringIncludes(told, "Turned down by the policy deceptive");
    assertStringIncludes(told, `${cli.command} ads ${adId} --headline …`);
    const mended = await cli.json<Ad>(
      ...["ads", adId, "--headline", "Bikes that stay dry", "--submit"],
    );
    assertEquals([mended.state, mended.revises], ["submitted", adId]);
    assertEquals(mended.headline, "Bikes that stay dry");
    await approveCreative(services, { adId: mended.ad_id, by: DESK });

    const list = (await cli.run(["ads"])).stdout;
    assertStringIncludes(list, `${mended.ad_id}  approved   Bikes that stay`);
    assertStringIncludes(list, `${adId}  rejected   Bikes for the rain`);
    const old = (await cli.run(["ads", adId])).stdout;
    assertStringIncludes(
      old,
      `newer version: ${cli.command} ads ${mended.ad_id}`,
    );
    const now = (await cli.run(["ads", mended.ad_id])).stdout;
    assertStringIncludes(
      now,
      `${cli.command} bid --ad ${mended.ad_id} --cents`,
    );
  },
);

withCli(
  "writes an ad once however often its key is sent, and says how it is now",
  async (given) => {
    const { cli } = given;
    await logInToBid(given);
    const args = ["ads", "new", ...COPY, "--key", "spring"];
    const first = await cli.json<Ad>(...args);
    await cli.json<Ad>("ads", first.ad_id, "--headline", "Bikes for the snow");
    const again = await cli.json<Ad>(...args);
    assertEquals([again.ad_id, again.headline], [
      first.ad_id,
      "Bikes for the snow",
    ]);
    const { items } = await cli.json<{ items: Ad[] }>("ads");
    const ours = items.filter(({ ad_id }) => ad_id !== "ad_interop");
    assertEquals(ours.length, 1);
  },
);

withCli(
  "says what is wrong with an ad, and which words it takes",
  async (given) => {
    const { cli } = given;
    assertEquals((await logIn(given)).code, 0);
    assertStringIncludes(
      (await cli.run(["ads"])).stdout,
      `You have written none: ${cli.command} ads new`,
    );
    for (
      const args of [["ads", "new", "--headline", "Bikes"], ["ads", "--submit"]]
    ) {
      assertEquals((await cli.run(args)).code, 2);
    }
    const short = await cli.run([
      ...["ads", "new", "--headline", "No", "--description", "Also no"],
      ...["--target", "http://ada.example", "--json"],
    ]);
    assertEquals(short.code, 1);
    assert(errorOf(short).message.length > 0);
    const unknown = await cli.run(["ads", "ad_nobodys"]);
    assertEquals(unknown.code, 1);
  },
);

withCli(
  "says which draft it wrote when it may not be submitted yet, and writes no second",
  async (given) => {
    const { cli } = given;
    assertEquals((await logIn(given)).code, 0);
    // Nobody has checked who this account belongs to.
    const args = ["ads", "new", ...COPY, "--submit"];
    const told = await cli.run(args);
    assertEquals(told.code, 1);
    const [, adId = ""] = /(ad_\w+) is written, as a draft/.exec(told.stderr) ??
      [];
    assertStringIncludes(told.stderr, `${cli.command} ads ${adId} --submit`);
    const again = await cli.run([...args, "--json"]);
    assertEquals(again.code, 1);
    assertStringIncludes(again.stderr, "no second is written");
    assertEquals(errorOf(again).ad_id, adId);
    assertStringIncludes(errorOf(again).message, `${adId} is written`);
    const { items } = await cli.json<{ items: Ad[] }>("ads");
    assertEquals(items.map(({ ad_id }) => ad_id), [adId]);
    // Other words are another advertisement.
    const other = await cli.run(["ads", "new", ...COPY, "--headline", "Snow!"]);
    assertEquals([other.code, other.stderr], [0, ""]);
  },
);
