/** Streams that tell of events: what is told, to whom, and how they end. */
import { assert, assertEquals } from "@std/assert";
import { LOOK_MS } from "../../../../domain/events/event_waits.ts";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import { resultOf, rpc } from "../../../support/mcp_agent.ts";
import { ManualTimer } from "../../../support/timer.ts";
import { removed, tell } from "../../../support/told_events.ts";
import { until } from "../../../support/until.ts";
import {
  openWaitingApi,
  type WaitingApi,
} from "../../../support/waiting_api.ts";

const URI = "spotlight://events";
const LISTEN_MS = 10 * 60_000;

/** What comes of a stream, message by message. */
class Heard {
  // deno-lint-ignore no-explicit-any -- messages of the protocol
  readonly messages: any[] = [];
  isOver = false;
  #rest = "";

  constructor(answer: Response) {
    void this.#read(answer);
  }

  get uris(): string[] {
    return this.messages
      .filter(({ method }) => method === "notifications/resources/updated")
      .map(({ params }) => params.uri);
  }

  async #read({ body }: Response): Promise<void> {
    const text = body?.pipeThrough(new TextDecoderStream()) ?? [];
    for await (const part of text) {
      const lines = (this.#rest + part).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) {
        if (!line.startsWith("data: ")) continue;
        this.messages.push(JSON.parse(line.slice("data: ".length)));
      }
    }
    this.isOver = true;
  }
}

async function listen(
  { api, timer }: Pick<WaitingApi, "api" | "timer">,
  as: Agent,
): Promise<Heard> {
  const before = lasting(timer);
  const asked = { notifications: { resourceSubscriptions: [URI] } };
  const answer = await rpc(api, "subscriptions/listen", asked, { as });
  assertEquals(answer.status, 200);
  const heard = new Heard(answer);
  await until(() => lasting(timer) > before);
  // It has looked where the events are by now.
  await until(() => heard.messages.length === 1);
  return heard;
}

function lasting(timer: ManualTimer): number {
  return timer.waiting.filter((ms) => ms === LISTEN_MS).length;
}

Deno.test("who listens to spotlight://events is told of each event it may see, and of nobody else's", async () => {
  await using waiting = await openWaitingApi();
  const { api, ada } = waiting;
  const { services } = api.world;
  const bob = await api.world.agent("bob", { scopes: ["account:read"] });
  const discovered = await resultOf(
    await rpc(api, "server/discover", {}, { as: ada }),
  );
  assertEquals(discovered.capabilities.resources.subscribe, true);
  await tell(services, ada.account.id, removed("before"));
  const [adas, bobs] = [await listen(waiting, ada), await listen(waiting, bob)];
  await tell(services, ada.account.id, removed("a"));
  await until(() => adas.uris.length === 1);
  await tell(services, ada.account.id, removed("b"));
  await until(() => adas.uris.length === 2);
  // Of an event that bob's token may not be told, nothing is heard.
  await tell(services, bob.account.id, removed("c"));
  await tell(services, ada.account.id, removed("d"));
  await until(() => adas.uris.length === 3);
  assertEquals(adas.uris, [URI, URI, URI]);
  assertEquals(bobs.uris, []);
  waiting.stopping.abort();
  await until(() => adas.isOver && bobs.isOver);
});

Deno.test("a stream of events ends in order when its time is over, its grant is revoked or the service stops", async () => {
  const ends: Record<string, (waiting: WaitingApi) => Promise<void> | void> = {
    time: ({ timer }) => timer.fire(LISTEN_MS),
    stop: ({ stopping }) => stopping.abort(),
    async revocation({ api, ada: { account, grant }, timer }) {
      const { services } = api.world;
      await revokeGrant(services, { grantId: grant.id, accountId: account.id });
      timer.fire(LOOK_MS);
    },
  };
  for (const [name, end] of Object.entries(ends)) {
    await using waiting = await openWaitingApi();
    const heard = await listen(waiting, waiting.ada);
    await end(waiting);
    await until(() => heard.isOver);
    const last = heard.messages.at(-1);
    assertEquals(last.result?.resultType, "complete", name);
  }
});

Deno.test("a stream whose grant was revoked or narrowed hears of no event that comes afterwards", async () => {
  const ends: Record<string, (waiting: WaitingApi) => Promise<unknown>> = {
    revoked: ({ api, ada: { account, grant } }) =>
      revokeGrant(api.world.services, {
        grantId: grant.id,
        accountId: account.id,
      }),
    narrowed: ({ api, ada: { grant } }) =>
      api.world.services.store.transact(async (tx) => {
        const found = await tx.grants.find(grant.id);
        assert(found !== null);
        tx.grants.save({ ...found, scopes: ["account:read"] });
      }),
  };
  for (const [name, end] of Object.entries(ends)) {
    await using waiting = await openWaitingApi();
    const { api: { world: { services } }, ada } = waiting;
    const heard = await listen(waiting, ada);
    await end(waiting);
    await tell(services, ada.account.id, removed("a"));
    await until(() => heard.isOver || heard.uris.length > 0);
    assertEquals(heard.uris, [], name);
    assertEquals(heard.messages.at(-1).result?.resultType, "complete", name);
  }
});
