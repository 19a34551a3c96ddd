import { assertEquals } from "@std/assert";
import type { Services } from "../../../../domain/ports.ts";
import { openEmptyBooks } from "../../../support/empty_books.ts";
import { troubledEvent } from "../../../support/troubled_event.ts";
import {
  answerOf,
  assertProblem,
  openOperatorSite,
  type OperatorSite,
} from "./operator_site.ts";

const RETRY = "webhook_events/evt_1/retry";

async function opened(changes?: Partial<Services>): Promise<OperatorSite> {
  const site = await openOperatorSite("development", changes);
  const { store, clock } = site.services;
  await store.transact((tx) =>
    tx.webhookEvents.save(troubledEvent("evt_1", clock.now()))
  );
  return site;
}

Deno.test("GET webhook_events names what could not be looked into, and why", async () => {
  await using site = await opened();
  const now = site.services.clock.now();
  const answer = await answerOf(await site.operate("GET", "webhook_events"));
  assertEquals(answer, {
    events: [{
      id: "evt_1",
      type: "invoice.paid",
      object_id: "in_1",
      state: "stuck",
      attempts: 14,
      trouble: "processor_uncertain",
      detail: "The processor gave no definite answer.",
      received_at: new Date(now - 3_600_000).toISOString(),
      due_at: new Date(now + 3_600_000).toISOString(),
    }],
    has_more: false,
  });
});

Deno.test("POST webhook_events/{id}/retry looks into it at once", async () => {
  await using books = await openEmptyBooks();
  await using site = await opened(books);
  const answer = await answerOf(await site.operate("POST", RETRY));
  assertEquals([answer.state, answer.due_at], ["done", null]);
  const { events } = await answerOf(
    await site.operate("GET", "webhook_events"),
  );
  assertEquals(events, []);
});

Deno.test("POST webhook_events/{id}/retry of an unknown event is 404", async () => {
  await using site = await openOperatorSite();
  await assertProblem(
    await site.operate("POST", RETRY),
    404,
    "NOT_FOUND",
    'Cannot find the event "evt_1"',
  );
});

Deno.test("events of the processor need the operator's key", async () => {
  await using site = await opened();
  for (const [method, path] of [["GET", "webhook_events"], ["POST", RETRY]]) {
    const answer = await site.operate(method ?? "", path ?? "", { key: null });
    assertEquals(answer.status, 401, path);
    await answer.body?.cancel();
  }
  const event = await site.services.store.webhookEvents.find("evt_1");
  assertEquals(event?.attempts, 14);
});
