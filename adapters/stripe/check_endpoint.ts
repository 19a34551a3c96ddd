import type Stripe from "stripe";
import { WEBHOOK_HANDLERS } from "../../domain/webhooks/handlers.ts";
import { dateOf } from "../../domain/doctor/clock.ts";
import { type Finding, trouble, well } from "../../domain/doctor/finding.ts";

/** What asking the processor came to. */
export interface SeenProcessor {
  findings: Finding[];
  /** What the processor's clock said, epoch ms; null where it did not answer. */
  dateMs: number | null;
}

type Endpoint = Pick<
  Stripe.WebhookEndpoint,
  "url" | "status" | "enabled_events"
>;

const KEY = "processor key";
const WEBHOOK = "webhook";
/** Most endpoints that an account of the processor has. */
const ENDPOINTS = 100;

/**
 * Asks the processor, which changes nothing there: whether the key is taken,
 * and whether an endpoint tells us of all that we look into.
 *
 * @param at where the endpoint has to be, and of which mode the key is
 */
export async function checkProcessor(
  client: Pick<Stripe, "webhookEndpoints">,
  { address, livemode }: { address: string; livemode: boolean },
): Promise<SeenProcessor> {
  const mode = livemode ? "live" : "test";
  try {
    const list = await client.webhookEndpoints.list({ limit: ENDPOINTS });
    return {
      findings: [
        well(KEY, `The processor takes the key, of ${mode} mode.`),
        endpointFinding(list.data, address, mode),
      ],
      dateMs: dateIn(list.lastResponse.headers),
    };
  } catch (error) {
    return failed(error);
  }
}

/** The SDK hands on what its HTTP client has, whatever its types say. */
function dateIn(headers: HeadersInit | undefined): number | null {
  return dateOf(new Headers(headers).get("date"));
}

function failed(error: unknown): SeenProcessor {
  const { statusCode, headers } = error as {
    statusCode?: number;
    headers?: HeadersInit;
  };
  const dateMs = dateIn(headers);
  if (statusCode === 401) {
    const says = "The processor does not know STRIPE_SECRET_KEY: copy the " +
      "key again, or make a new one.";
    return { findings: [trouble(KEY, says)], dateMs };
  }
  if (statusCode === 403) {
    const says = "STRIPE_SECRET_KEY may not list webhook endpoints: give " +
      "the restricted key that permission (read), or look at them yourself.";
    const taken = well(KEY, "The processor takes the key.");
    return { findings: [taken, trouble(WEBHOOK, says)], dateMs };
  }
  const says = statusCode === undefined
    ? "The processor does not answer: see whether this machine reaches it " +
      "(port 443)."
    : `The processor answered ${statusCode}: try again in a while.`;
  return { findings: [trouble(KEY, says)], dateMs };
}

/**
 * Whether these endpoints together tell of all that is looked into: the processor
 * tells of accounts that we pay by an endpoint of their own.
 */
export function endpointFinding(
  endpoints: readonly Endpoint[],
  address: string,
  mode: "live" | "test",
): Finding {
  const found = endpoints.filter(({ url }) => url === address);
  if (found.length === 0) {
    const says = `No endpoint of ${mode} mode is at ${address}: make one at ` +
      "the processor (Developers, Webhooks).";
    return trouble(WEBHOOK, says);
  }
  if (found.some(({ status }) => status !== "enabled")) {
    return trouble(WEBHOOK, "The endpoint is switched off: switch it on.");
  }
  // Of connected accounts only who has partners is told.
  const missing = WEBHOOK_HANDLERS
    .filter(({ ofConnectedAccounts }) => !ofConnectedAccounts)
    .map(({ prefix }) => prefix)
    .filter((prefix) => !found.some((one) => tellsOf(one, prefix)));
  if (missing.length > 0) {
    const says = "The endpoint does not tell of events that begin with " +
      `${missing.join(", ")}: add them.`;
    return trouble(WEBHOOK, says);
  }
  return well(WEBHOOK, `The endpoint at ${address} tells of every event.`);
}

function tellsOf({ enabled_events }: Endpoint, prefix: string): boolean {
  return enabled_events.some((type) => type === "*" || type.startsWith(prefix));
}
