import { assertEquals } from "@std/assert";
import { archiveDocument } from "../../../../domain/invoices/archive_document.ts";
import { openArchiveWorld } from "../../../domain/invoices/archive_world.ts";
import { ask, bindings } from "../../../support/bindings.ts";
import { answerOf, assertProblem, KEY, openHost } from "./operator_site.ts";

async function openArchiveSite() {
  const world = await openArchiveWorld();
  const { app, close } = await openHost(
    world.services,
    world.auction.testStore.realKv,
  );
  return {
    world,
    operate: (method: string, path: string, key = KEY) =>
      ask(app, `/operator/v1/archive/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}` },
      }, bindings()),
    async [Symbol.asyncDispose]() {
      await close();
      await world[Symbol.asyncDispose]();
    },
  };
}

Deno.test("GET archive/{number} says how far a document is, POST retry archives it at once", async () => {
  await using site = await openArchiveSite();
  const { id, number } = await site.world.issue();
  const archive = { ...site.world.services.archive, maxBytes: 100 };
  await archiveDocument({ ...site.world.services, archive }, { number });
  const waiting = {
    number,
    kind: "invoice",
    document_id: id,
    state: "impossible",
    attempts: 1,
    due_at: null,
    bytes: null,
    sha256: null,
  };
  assertEquals(await answerOf(await site.operate("GET", number)), waiting);
  const answer = await site.operate("POST", `${number}/retry`);
  const { bytes, sha256 } = await site.world.task(number);
  const stored = { ...waiting, state: "stored", attempts: 2, bytes, sha256 };
  assertEquals(await answerOf(answer), stored);
  assertEquals(await answerOf(await site.operate("GET", number)), stored);
  await site.world.assertArchived(number);
});

Deno.test("archive/{number} says when a document that waits is tried next", async () => {
  await using site = await openArchiveSite();
  const { number } = await site.world.issue();
  const { state, due_at } = await answerOf(await site.operate("GET", number));
  assertEquals([state, due_at], ["waiting", "2026-11-20T08:00:00.000Z"]);
});

Deno.test("archive/{number} knows no other documents, and nobody without the key", async () => {
  await using site = await openArchiveSite();
  for (const [method, path] of [["GET", "X-1"], ["POST", "X-1/retry"]]) {
    await assertProblem(
      await site.operate(method ?? "", path ?? ""),
      404,
      "NOT_FOUND",
      'Cannot find the document "X-1"',
    );
    const other = await site.operate(method ?? "", path ?? "", "no-key");
    assertEquals(other.status, 401);
  }
});
