/**
 * Asks for any operation of the agent API, from the table of them, with what an
 * account has of its own where the path names something.
 *
 * @module
 */
import { placeBid } from "../../domain/bidding/place_bid.ts";
import { requestExport } from "../../domain/privacy/request_export.ts";
import type { AgentOperation } from "../../routes/operations/operation.ts";
import { placeOf } from "../../routes/operations/operation.ts";
import type { AgentApi } from "./agent_api.ts";
import { type Agent, BID_DAY, bidBy } from "./bidding_world.ts";
import { invoiceOf, saveInvoice } from "./invoices.ts";
import { savePasskeys } from "./passkeys.ts";

/** What paths name of an account, by the operations' first parts. */
export type OwnIds = Readonly<Record<string, string>>;

/** Gives the agent's account one of everything that a path can name. */
export async function oneOfEverything(
  { world }: AgentApi,
  agent: Agent,
  name: string,
): Promise<OwnIds> {
  const { services, clock } = world;
  const { account: { id: accountId }, grant, adId } = agent;
  const { store } = services;
  await placeBid(services, bidBy(agent));
  const bid = await store.bids.find(BID_DAY, accountId);
  const [card] = await store.listPaymentMethods(accountId, { limit: 1 });
  if (bid === null || card === undefined) throw new Error("A bid has a card");
  const number = `SPOT-${name}`;
  await saveInvoice(services, {
    ...invoiceOf(accountId, number),
    creditNotes: [{
      id: `cn_${name}`,
      number: `${number}-CN-01`,
      totalCents: 100,
      taxCents: 0,
      createdAtMs: clock.now(),
    }],
  });
  await savePasskeys(services, agent, [`pk_${name}`, `pk_${name}_2`]);
  const { value: copy } = await requestExport(services, {
    accountId,
    grantId: grant.id,
    by: { grant: { id: grant.id, lineId: agent.lineId } },
    binding: null,
  });
  return {
    bids: bid.id,
    creatives: adId,
    invoices: number,
    payment_methods: card.id,
    passkeys: `pk_${name}`,
    connections: grant.id,
    privacy: copy.id,
    reports: BID_DAY,
    note: `${number}-CN-01`,
  };
}

/** The path of an operation, with these ids where it names something. */
export function pathOf(
  operation: Pick<AgentOperation, "at">,
  ids: OwnIds,
): string {
  const { path } = placeOf(operation);
  const [area = ""] = path.replace("/v1/agent/", "").split("/");
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name] ?? ids[area];
    if (id === undefined) throw new Error(`Nothing is known of ${path}`);
    return encodeURIComponent(id);
  });
}

/** Whether the path names something of an account. */
export function namesSomething({ at }: Pick<AgentOperation, "at">): boolean {
  return at.includes("{");
}

/** Asks for an operation as an agent; what changes something has a key. */
export function askFor(
  api: AgentApi,
  operation: Pick<AgentOperation, "at">,
  { as, ids, body = {}, key = "key-1" }: {
    as: Agent;
    ids: OwnIds;
    body?: unknown;
    key?: string;
  },
): Promise<Response> {
  const { method } = placeOf(operation);
  const path = pathOf(operation, ids);
  if (method === "GET") return api.ask(path, { as });
  return api.ask(path, {
    as,
    method,
    headers: { "content-type": "application/json", "idempotency-key": key },
    ...method !== "DELETE" && { body: JSON.stringify(body) },
  });
}
