/** An agent on the functions that orval makes, which know the addresses too. */
import * as api from "./orval.js";

declare const process: { argv: string[] };

const { token, day, ad_id } = JSON.parse(process.argv[2] ?? "");
const headers = { authorization: `Bearer ${token}` };

const shown = await api.readCurrentSpotlight();
const asked = await api.ask({ query: "bids" });
const me = await api.readAccount({ day, ad_id, amount_cents: 1000 }, {
  headers,
});

async function bid(amount_cents: number, key: string) {
  const body = { day, ad_id, amount_cents, currency: "EUR" } as const;
  return await api.placeBid(body, {
    headers: { ...headers, "idempotency-key": key },
  });
}

const placed = await bid(1000, "generated-1");
const again = await bid(1000, "generated-1");
const lower = await bid(900, "generated-2");
const own = await api.listBids({ day }, { headers });

console.log(JSON.stringify({
  headline: shown.status === 200 ? shown.data.data.headline : null,
  results: asked.status === 200 && typeof asked.data !== "string"
    ? asked.data.results.map((each) => each["@type"]).at(0)
    : null,
  ready: me.status === 200 ? me.data.first_bid.status : null,
  counts: [placed, again].map((each) =>
    each.status === 200 ? each.data.bidCount : null
  ),
  refused: lower.status === 409 ? lower.data.code : null,
  own: own.status === 200
    ? own.data.bids.map((each) => each.amount_cents)
    : null,
}));
