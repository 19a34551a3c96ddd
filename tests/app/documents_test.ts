import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { PUBLISHED, readDocuments } from "../../app/documents.ts";
import { DOCUMENT_FACTS } from "../support/documents.ts";

Deno.test("readDocuments() reads every published document, each with a title", async () => {
  const documents = await readDocuments(DOCUMENT_FACTS);
  assertEquals(Object.keys(documents), [...PUBLISHED]);
  for (const text of Object.values(documents)) {
    assert(text.startsWith("# "));
  }
});

Deno.test("readDocuments() writes who sells as they are called", async () => {
  const seller = { ...DOCUMENT_FACTS.seller, name: "Pay $& Co $1" };
  const documents = await readDocuments({ ...DOCUMENT_FACTS, seller });
  const { name, address, email } = seller;
  assertStringIncludes(
    documents["/terms.md"] ?? "",
    `${name}, ${address}, ${email}.`,
  );
});

Deno.test("readDocuments() writes when auctions open and close", async () => {
  const auctionHours = { opensAtMinute: 65, closesAtMinute: 24 * 60 - 1 };
  const documents = await readDocuments({ ...DOCUMENT_FACTS, auctionHours });
  assertStringIncludes(
    documents["/developers.md"] ?? "",
    "opens at 01:05 and closes at 23:59 of that\nday, UTC",
  );
});
