/** Which VAT ids pass in development is what its simulator answers. */
import { assert, assertEquals } from "@std/assert";
import { readVatId } from "../../adapters/vies/read_vat_id.ts";
import { readDocuments } from "../../app/documents.ts";
import { startViesSimulator } from "../../simulators/vies/simulator.ts";
import { DOCUMENT_FACTS, sectionsOf } from "../support/documents.ts";

/** What the page says in development. */
async function saidInDevelopment(): Promise<string> {
  const simulatorUrl = "http://localhost:8003";
  const documents = await readDocuments({ ...DOCUMENT_FACTS, simulatorUrl });
  const section = sectionsOf(documents["/developers.md"] ?? "")
    .find(({ heading }) => heading === "VAT ids in development");
  assert(section !== undefined);
  return section.body;
}

/** The endings that the table names, with what it says of them. */
function endingsIn(text: string): [ending: string, says: string][] {
  return text.split("\n").filter((line) => /^\| \d/.test(line))
    .flatMap((row) => {
      const [, endings = "", says = ""] = row.split("|");
      return endings.trim().split(", ").map((ending): [string, string] => [
        ending,
        says.trim(),
      ]);
    });
}

/** What the simulator says of an id, in the first words of the table. */
async function answered(address: string, vatNumber: string): Promise<string> {
  const answer = await fetch(`${address}/check-vat-number`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ countryCode: "DE", vatNumber }),
  });
  const { valid, name } = await answer.json();
  if (!answer.ok) return "nothing,";
  if (!valid) return "not valid";
  return name === "---" ? "valid" : `valid, and the name ${name}:`;
}

Deno.test("developers.md says which VAT ids pass in development, as the simulator answers", async () => {
  const said = new Map(endingsIn(await saidInDevelopment()));
  const simulator = await startViesSimulator();
  const { address } = simulator;
  const unlike: string[] = [];
  for (let hundred = 0; hundred < 10; hundred++) {
    const endings = Array.from(
      { length: 100 },
      (_, at) => String(100 * hundred + at).padStart(3, "0"),
    );
    await Promise.all(endings.map(async (ending) => {
      const says = said.get(ending) ?? "valid";
      const expected = await answered(address, `123456${ending}`);
      if (!says.startsWith(expected)) unlike.push(ending);
    }));
  }
  await simulator.close();
  assertEquals(unlike, []);
  assertEquals(said.size, 14);
});

Deno.test("the VAT ids that developers.md names as examples have the form of their member states, and pass", async () => {
  const text = await saidInDevelopment();
  const named = [...text.matchAll(/\b[A-Z]{2}[A-Z]?\d{8,}\b/g)]
    .map(([id]) => id);
  assert(named.length >= 3, text);
  const endings = endingsIn(text).map(([ending]) => ending);
  for (const id of named) {
    assertEquals(readVatId(id)?.vatId, id);
    assert(!endings.includes(id.slice(-3)), id);
  }
});
