import { assertEquals } from "@std/assert";
import {
  removed,
  settledDays,
  spotlight,
} from "../../../support/public_spotlights.ts";
import {
  invalidInput,
  openSite,
  problemBody,
} from "../../../support/site_app.ts";

const PAID = spotlight("2026-11-18");
const HOUSE = spotlight("2026-11-19", { contentType: "house_advertisement" });

function record(day: string, contentType = "paid_advertisement"): unknown {
  return {
    day,
    headline: `Headline of ${day}`,
    description: `What is advertised on ${day}`,
    advertiser: "Acme GmbH",
    canonicalUrl: `https://spotlight.example/spotlights/${day}`,
    contentType,
  };
}

function notFound(detail: string): unknown {
  return problemBody({
    slug: "spotlight-not-found",
    title: "Spotlight not found",
    status: 404,
    detail,
  });
}

const NO_CURRENT = notFound(
  "Cannot find a current Spotlight: none is shown now",
);

async function bodyOf(response: Response, status: number): Promise<unknown> {
  assertEquals(response.status, status);
  assertEquals(
    response.headers.get("content-type"),
    status === 200 ? "application/json" : "application/problem+json",
  );
  return await response.json();
}

Deno.test("GET /spotlight answers the newest settled day", async () => {
  await using site = await openSite([PAID, HOUSE]);
  for (const query of ["", "?", "?includeHouseAds=true", "?other=1&other=2"]) {
    const response = await site.ask(`/api/v1/spotlight${query}`);
    assertEquals(await bodyOf(response, 200), {
      data: record("2026-11-19", "house_advertisement"),
    });
  }
});

Deno.test("GET /spotlight answers 404 to a house advertisement not wanted", async () => {
  await using site = await openSite([PAID, HOUSE]);
  const path = "/api/v1/spotlight?includeHouseAds=false";
  assertEquals(await bodyOf(await site.ask(path), 404), NO_CURRENT);
  site.records.apply(spotlight("2026-11-20"));
  assertEquals((await site.ask(path)).status, 200);
});

Deno.test("GET /spotlight answers 404 once the newest day is removed", async () => {
  await using site = await openSite([PAID, HOUSE]);
  site.records.apply(removed(HOUSE));
  const response = await site.ask("/api/v1/spotlight");
  assertEquals(await bodyOf(response, 404), NO_CURRENT);
});

Deno.test("GET /spotlight takes true or false once, and nothing else", async () => {
  await using site = await openSite([PAID]);
  const refused = async (query: string, detail: string) => {
    const response = await site.ask(`/api/v1/spotlight?${query}`);
    assertEquals(
      await bodyOf(response, 400),
      invalidInput(`Cannot read the current Spotlight: ${detail}`),
    );
  };
  const wanted = "includeHouseAds must be true or false, current value is";
  await refused("includeHouseAds=1", `${wanted} "1"`);
  await refused("includeHouseAds=True", `${wanted} "True"`);
  await refused("includeHouseAds=", `${wanted} ""`);
  await refused("includeHouseAds", `${wanted} ""`);
  await refused(
    "includeHouseAds=true&includeHouseAds=true",
    "includeHouseAds must be given once",
  );
});

Deno.test("GET /spotlights/{day} answers the day's record", async () => {
  await using site = await openSite([PAID, HOUSE]);
  const response = await site.ask("/api/v1/spotlights/2026-11-18?x=1");
  assertEquals(await bodyOf(response, 200), { data: record("2026-11-18") });
});

Deno.test("GET /spotlights/{day} answers alike for removed and unsettled days", async () => {
  await using site = await openSite([removed(PAID), HOUSE]);
  for (const day of ["2026-11-18", "2026-11-20"]) {
    const response = await site.ask(`/api/v1/spotlights/${day}`);
    assertEquals(
      await bodyOf(response, 404),
      notFound(
        `Cannot find the Spotlight of ${day}: ` +
          "the day has no settled Spotlight; " +
          "GET /api/v1/spotlight has the one on show now",
      ),
    );
  }
});

Deno.test("GET /spotlights/{day} takes calendar dates only", async () => {
  await using site = await openSite([PAID]);
  const refused = async (path: string, text: string) => {
    const response = await site.ask(`/api/v1/spotlights/${path}`);
    assertEquals(
      await bodyOf(response, 400),
      invalidInput(
        `Cannot read day ${text}: a day is a calendar date written YYYY-MM-DD`,
      ),
    );
  };
  await refused("2026-02-30", '"2026-02-30"');
  await refused("2026-2-3", '"2026-2-3"');
  await refused("today", '"today"');
  await refused("2026-11-18T00:00:00Z", '"2026-11-18T00:00:00Z"');
  await refused("%222026%22", '"\\"2026\\""');
  await refused("%zz", '"%zz"');
  await refused("x".repeat(500), `"${"x".repeat(120)}…"`);
});

Deno.test("GET /spotlights/{day} reads an encoded day as the day it is", async () => {
  await using site = await openSite([PAID]);
  const response = await site.ask("/api/v1/spotlights/2026%2D11%2D18");
  assertEquals(response.status, 200);
});

Deno.test("GET /spotlights lists the newest first with both ways on", async () => {
  await using site = await openSite([...settledDays(3)]);
  const response = await site.ask("/api/v1/spotlights?limit=2");
  assertEquals(await bodyOf(response, 200), {
    data: [record("2026-11-19"), record("2026-11-18")],
    nextOffset: 2,
    nextCursor: "2026-11-18",
  });
  const rest = { data: [record("2026-11-17")], nextOffset: null };
  for (const query of ["limit=2&offset=2", "limit=2&cursor=2026-11-18"]) {
    const next = await site.ask(`/api/v1/spotlights?${query}`);
    assertEquals(await bodyOf(next, 200), { ...rest, nextCursor: null });
  }
});

Deno.test("GET /spotlights gives 20 when no limit is asked, 50 at most", async () => {
  await using site = await openSite(settledDays(60));
  const count = async (query: string) => {
    const response = await site.ask(`/api/v1/spotlights${query}`);
    return (await response.json()).data.length;
  };
  assertEquals(await count(""), 20);
  assertEquals(await count("?limit=1"), 1);
  assertEquals(await count("?limit=50"), 50);
  assertEquals(await count("?offset=10000"), 0);
});

Deno.test("GET /spotlights answers an empty list before a day settled", async () => {
  await using site = await openSite();
  const response = await site.ask("/api/v1/spotlights");
  assertEquals(await bodyOf(response, 200), {
    data: [],
    nextOffset: null,
    nextCursor: null,
  });
});

Deno.test("GET /spotlights ignores parameters it does not know, even repeated", async () => {
  await using site = await openSite(settledDays(3));
  const response = await site.ask(
    "/api/v1/spotlights?utm_source=a&utm_source=b&limit=1&__proto__=x",
  );
  assertEquals(response.status, 200);
  assertEquals((await response.json()).data.length, 1);
});

Deno.test("GET /spotlights refuses malformed parameters", async () => {
  await using site = await openSite([PAID]);
  const limit = "limit must be an integer from 1 to 50, current value is";
  const offset = "offset must be an integer from 0 to 10000, current value is";
  const cursor = "cursor must be a calendar date written YYYY-MM-DD, " +
    "current value is";
  const together = "cursor and offset must not be given together";
  const cases: [query: string, detail: string][] = [
    ["limit=0", `${limit} "0"`],
    ["limit=51", `${limit} "51"`],
    ["limit=-1", `${limit} "-1"`],
    ["limit=2.0", `${limit} "2.0"`],
    ["limit=1e1", `${limit} "1e1"`],
    ["limit=", `${limit} ""`],
    ["limit=%20", `${limit} " "`],
    ["limit=99999999999999999999", `${limit} "99999999999999999999"`],
    ["limit=1&limit=1", "limit must be given once"],
    ["offset=-1", `${offset} "-1"`],
    ["offset=10001", `${offset} "10001"`],
    ["offset=a", `${offset} "a"`],
    ["cursor=2026-02-30", `${cursor} "2026-02-30"`],
    ["cursor=", `${cursor} ""`],
    ["cursor=2026-11-18&cursor=2026-11-18", "cursor must be given once"],
    ["cursor=2026-11-18&offset=0", together],
    ["cursor=2026-11-18&offset=5", together],
  ];
  for (const [query, detail] of cases) {
    const response = await site.ask(`/api/v1/spotlights?${query}`);
    assertEquals(
      await bodyOf(response, 400),
      invalidInput(`Cannot list Spotlights: ${detail}`),
    );
  }
});

Deno.test("GET /spotlights/batch keeps the order of days and repeats", async () => {
  await using site = await openSite([PAID, removed(HOUSE)]);
  const days = "2026-11-19,2026-11-18,2030-01-01,2026-11-18";
  const response = await site.ask(`/api/v1/spotlights/batch?days=${days}`);
  const found = { status: 200, data: record("2026-11-18") };
  const missing = { status: 404, data: null };
  assertEquals(await bodyOf(response, 200), {
    results: [
      { day: "2026-11-19", ...missing },
      { day: "2026-11-18", ...found },
      { day: "2030-01-01", ...missing },
      { day: "2026-11-18", ...found },
    ],
  });
});

Deno.test("GET /spotlights/batch takes one to ten days", async () => {
  await using site = await openSite(settledDays(10));
  const days = settledDays(10).map(({ day }) => day).join(",");
  assertEquals(days.length, 109);
  for (const text of ["2026-11-18", days, days.replaceAll(",", "%2C")]) {
    const response = await site.ask(`/api/v1/spotlights/batch?days=${text}`);
    assertEquals(response.status, 200);
  }
});

Deno.test("GET /spotlights/batch refuses malformed days", async () => {
  await using site = await openSite([PAID]);
  const each = "each of days must be a calendar date written YYYY-MM-DD, " +
    "current value is";
  const cases: [query: string, detail: string][] = [
    ["", "days must be given"],
    ["?days=", `${each} ""`],
    ["?days=2026-11-18,", `${each} ""`],
    ["?days=,2026-11-18", `${each} ""`],
    ["?days=2026-11-18,,2026-11-17", `${each} ""`],
    ["?days=2026-11-18,%202026-11-17", `${each} " 2026-11-17"`],
    ["?days=2026-02-29", `${each} "2026-02-29"`],
    ["?days=2026-11-18&days=2026-11-17", "days must be given once"],
    [
      `?days=${"2026-11-18,".repeat(9)}2026-11-180`,
      "days must have at most 109 characters, current length is 110",
    ],
    [
      `?days=${"1,".repeat(10)}1`,
      "days must name 1 to 10 days, current number is 11",
    ],
  ];
  for (const [query, detail] of cases) {
    const response = await site.ask(`/api/v1/spotlights/batch${query}`);
    assertEquals(
      await bodyOf(response, 400),
      invalidInput(`Cannot read the batch: ${detail}`),
    );
  }
});
