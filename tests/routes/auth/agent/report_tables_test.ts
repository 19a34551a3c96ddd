import { assert, assertEquals } from "@std/assert";
import { openAgentApi } from "../../../support/agent_api.ts";
import { settle, spotlight } from "../../../support/public_spotlights.ts";
import { CLICKS, count, DAY, LIST, pay, READ, wonBy } from "./report_world.ts";

Deno.test("reports are tables for Accept: text/csv", async () => {
  await using api = await openAgentApi();
  const { store } = api.world.services;
  const ada = await api.world.agent("ada", READ);
  await settle(store, wonBy(ada, "2026-11-15"), wonBy(ada, DAY));
  await settle(store, spotlight("2026-11-17"));
  await count(store, DAY, CLICKS);
  await pay(api, ada, DAY);
  const table = (path: string, accept = "text/csv") =>
    api.ask(path, { as: ada, headers: { accept } });
  const list = await table(`${LIST}?to=2026-11-19&limit=1`);
  assertEquals(
    list.headers.get("content-type"),
    "text/csv; charset=utf-8; header=present",
  );
  assertEquals([list.headers.get("vary"), list.headers.get("cache-control")], [
    "accept",
    "no-store",
  ]);
  const header = "day,clicks,human_clicks,countries,spend_cents," +
    "refunded_cents,currency,invoice_number,removed,final\r\n";
  assertEquals(
    await list.text(),
    `${header}2026-11-16,130,100,4,12100,0,EUR,SPOT-2026-11-16,false,true\r\n`,
  );
  const [, next = ""] = /^<(.*)>; rel="next"$/
    .exec(list.headers.get("link") ?? "") ?? [];
  const rest = await table(next);
  assertEquals(rest.headers.get("link"), null);
  assertEquals(
    await rest.text(),
    `${header}2026-11-15,0,0,0,0,0,EUR,,false,true\r\n`,
  );
  const day = await table(`${LIST}/${DAY}`, "application/json;q=0.5, text/csv");
  const lines = (await day.text()).split("\r\n");
  assertEquals(lines[0], "figure,of,value");
  for (
    const line of [
      "clicks,,130",
      "spend_cents,,12100",
      "clicks_by_reason,bot,30",
      "human_clicks_by_hour,2026-11-16T23:00:00.000Z,90",
      "human_clicks_by_hour,other,10",
      "human_clicks_by_country,DE,60",
      "human_clicks_by_country,other,20",
    ]
  ) assert(lines.includes(line), line);
  for (const accept of ["*/*", "text/html", "application/json", ""]) {
    const answer = await table(`${LIST}/${DAY}`, accept);
    assertEquals(answer.headers.get("content-type"), "application/json");
    await answer.body?.cancel();
  }
  const refused = await table(`${LIST}/2020-01-01`);
  assertEquals(
    refused.headers.get("content-type"),
    "application/problem+json",
  );
  await refused.body?.cancel();
});
