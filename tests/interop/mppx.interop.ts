/** mppx buys a day's figures: its challenge, its credential, its receipt. */
import { assert, assertEquals } from "@std/assert";
import { addDays, type Day, dayOf } from "../../domain/day.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { npmFolder, runNode } from "./support/npm_folder.ts";
import { type InteropWorld, inWorld, type Remains } from "./support/world.ts";

/** What the buyer saw; see `mppx/buyer.js`. */
interface Seen {
  granted: {
    id: string;
    amount: string;
    currency: string;
    networkId: string;
  }[];
  credentials: {
    credential: string;
    challenge: { id: string; request: unknown; expires: string };
  }[];
  failures: string[];
  status: number;
  body: Record<string, unknown>;
  receipt: Record<string, string> | null;
  again: { status: number; type: string; challenge: string };
}

Deno.test("mppx meets the 402, pays with a shared payment token and reads the receipt", async () => {
  const day = yesterday();
  const { seen, remains } = await buy(day, "pm_card_visa");
  const [token] = seen.granted;
  const [answered] = seen.credentials;
  assert(token !== undefined && answered !== undefined);
  assertEquals(seen.failures, []);
  assertEquals(seen.status, 200);
  assertEquals(seen.body, {
    data: { day, clicks: 0, human_clicks: 0, countries: 0 },
    paid: { cents: 100, currency: "eur" },
  });
  assertEquals(token.amount, "100");
  assertEquals(token.currency, "eur");
  assertEquals(token.networkId, "profile_test_simulator");
  assertEquals(answered.challenge.request, {
    amount: "100",
    currency: "eur",
    externalId: `metrics:${day}`,
    methodDetails: {
      networkId: "profile_test_simulator",
      paymentMethodTypes: ["card"],
    },
  });
  const { timestamp, reference, ...receipt } = seen.receipt ?? {};
  assertEquals(receipt, {
    method: "stripe",
    status: "success",
    externalId: `metrics:${day}`,
  });
  assert(reference?.startsWith("pi_"));
  assert(!Number.isNaN(Date.parse(timestamp ?? "")));
  assertEquals(seen.again.status, 402);
  assert(seen.again.type.endsWith("/invalid-challenge"));
  assert(seen.again.challenge !== answered.challenge.id);
  keptNowhere(remains, [token.id, answered.credential]);
});

Deno.test("mppx is told that its token was declined, with a challenge to try again", async () => {
  const { seen } = await buy(yesterday(), "pm_card_chargeDeclined");
  assertEquals(seen.status, 402);
  assertEquals(seen.receipt, null);
  assertEquals(
    seen.body["type"],
    "https://paymentauth.org/problems/verification-failed",
  );
});

function yesterday(): Day {
  return addDays(dayOf(Date.now()), -1);
}

/** Lets mppx buy the figures of a day that has settled. */
async function buy(
  day: Day,
  card: string,
): Promise<{ seen: Seen; remains: Remains }> {
  const folder = await npmFolder("mppx");
  let seen: Seen | null = null;
  const remains = await inWorld(async (world) => {
    await open(world, day);
    const printed = await runNode(folder, "buyer.js", {
      url: `${world.baseUrl}/api/v1/spotlights/${day}/metrics`,
      card,
      ...world.processor,
    });
    seen = JSON.parse(printed);
  });
  assert(seen !== null);
  return { seen, remains };
}

async function open({ service }: InteropWorld, day: Day): Promise<void> {
  const { services, records } = service.service.core;
  await settle(services.store, spotlight(day));
  await records.refreshNow();
}

/** No token and no credential stands in the log or in any row, ever. */
function keptNowhere(
  { log, written, present }: Remains,
  secrets: readonly string[],
): void {
  const rows = [...written, ...present].map(({ text }) => text);
  for (const secret of secrets) {
    for (const text of [log, ...rows]) assert(!text.includes(secret));
  }
}
