import { DAY_ACTS } from "../../routes/site/operator/day_acts.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  documentFactsOf,
  PUBLISHED,
  readDocuments,
} from "../../app/documents.ts";
import type { Config } from "../../config/config.ts";
import { DOCUMENT_FACTS } from "../support/documents.ts";
import { DEMO_ADVERTISERS } from "../../tools/demo/accounts.ts";

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

Deno.test("readDocuments() says where payments are made up in development, and nothing of it where money is real", async () => {
  const simulatorUrl = "http://127.0.0.1:8003";
  const textOf = async (url: string | null) => {
    const facts = { ...DOCUMENT_FACTS, simulatorUrl: url };
    return Object.values(await readDocuments(facts)).join();
  };
  const here = await textOf(simulatorUrl);
  assertStringIncludes(
    here,
    `curl -s ${simulatorUrl}/v1/test_helpers/shared_payment/granted_tokens`,
  );
  const elsewhere = await textOf(null);
  for (const text of [here, elsewhere]) {
    for (const left of ["{simulator_url}", "<!--"]) {
      assert(!text.includes(left), left);
    }
  }
  assert(!elsewhere.includes(simulatorUrl));
  assert(!elsewhere.includes("runs in development"));
  assert(!elsewhere.includes("\n\n\n"));
});

Deno.test("readDocuments() says beside the closing time, in development alone, how a day is closed and settled at once", async () => {
  const sectionsOf = async (simulatorUrl: string | null) => {
    const facts = { ...DOCUMENT_FACTS, simulatorUrl };
    const { "/developers.md": text = "" } = await readDocuments(facts);
    return text.split(/^#+ /m);
  };
  const isClosing = (text: string) => text.startsWith("Close and settle a day");
  const here = await sectionsOf("http://127.0.0.1:8003");
  const at = here.findIndex(isClosing);
  assert(here[at - 1]?.startsWith("Opening and closing time"));
  const said = here[at]?.replaceAll("\n", " ") ?? "";
  for (
    const named of [
      DOCUMENT_FACTS.operatorEmail,
      "{base_url}/operator/days",
      // The page calls it so.
      `"${DAY_ACTS.close.title}"`,
    ]
  ) assertStringIncludes(said, named);
  assert(!(await sectionsOf(null)).some(isClosing));
});

Deno.test("documentFactsOf() names a simulator in development only", () => {
  const stripe = { apiBase: "http://127.0.0.1:8003" };
  const simulatorOf = (environment: string) =>
    documentFactsOf(
      {
        settings: { environment, operatorEmails: [] },
        stripe,
      } as unknown as Config,
    ).simulatorUrl;
  assertEquals(simulatorOf("development"), stripe.apiBase);
  assertEquals(simulatorOf("preview"), null);
  assertEquals(simulatorOf("production"), null);
});

Deno.test("readDocuments() names in development whom to sign in as, of the demo and as what", async () => {
  const simulatorUrl = "http://127.0.0.1:8003";
  const facts = { ...DOCUMENT_FACTS, simulatorUrl };
  const text = (await readDocuments(facts))["/auth.md"] ?? "";
  const rows = [...text.matchAll(/^\| (`[^|]+@[^|]+) \| ([^|]+) \|$/gm)]
    .flatMap(([, emails = "", says = ""]) =>
      (emails.match(/[^`, ]+@[^`, ]+/g) ?? []).map((email) => ({ email, says }))
    );
  const found = rows.map(({ email, says }) => {
    const demo = DEMO_ADVERTISERS.find((each) => each.email === email);
    if (says.startsWith("an operator")) return email === facts.operatorEmail;
    if (demo === undefined) return false;
    const { testCard, trouble, ads } = demo;
    if (says.includes("suspended")) return trouble === "suspended";
    if (says.includes("no card")) return testCard === null;
    if (says.includes("submit")) return ads[0]?.state === "draft";
    return testCard !== null && trouble === undefined;
  });
  assertEquals(found, rows.map(() => true), JSON.stringify(rows));
  assertEquals(rows.length, 8);
});
