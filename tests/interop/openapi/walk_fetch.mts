/** An agent on the types of openapi-typescript and the client openapi-fetch. */
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

declare const process: { argv: string[] };

const { baseUrl, authUrl, token, day, ad_id } = JSON.parse(
  process.argv[2] ?? "",
);
const headers = { authorization: `Bearer ${token}` };
const site = createClient<paths>({ baseUrl });
const agent = createClient<paths>({ baseUrl: authUrl, headers });

const shown = await site.GET("/api/v1/spotlight");
const asked = await site.GET("/ask", { params: { query: { query: "bids" } } });
const me = await agent.GET("/v1/agent/me", {
  params: { query: { day, ad_id, amount_cents: 1000 } },
});

async function bid(amount_cents: number, key: string) {
  return await agent.POST("/v1/agent/bids", {
    params: { header: { "Idempotency-Key": key } },
    body: { day, ad_id, amount_cents, currency: "EUR" },
  });
}

const placed = await bid(1000, "generated-1");
const again = await bid(1000, "generated-1");
const lower = await bid(900, "generated-2");
const own = await agent.GET("/v1/agent/bids", { params: { query: { day } } });

// The same operation answers a stream, as text, when it is asked for one.
const found = typeof asked.data === "object" ? asked.data.results : [];
const why = lower.error;
console.log(JSON.stringify({
  headline: shown.data?.data.headline,
  results: found.map((each) => each["@type"]).at(0),
  ready: me.data?.first_bid.status,
  counts: [placed.data?.bidCount, again.data?.bidCount],
  refused: why !== undefined && "code" in why ? why.code : null,
  own: own.data?.bids.map((each) => each.amount_cents),
}));
