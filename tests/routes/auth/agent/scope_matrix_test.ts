/**
 * Every operation by a grant of every scope alone, and with the ids of another
 * account: all of it comes from the table of operations.
 */
import { assert, assertEquals } from "@std/assert";
import { SCOPES } from "../../../../domain/oauth/grant.ts";
import { AGENT_OPERATIONS } from "../../../../routes/operations/agent_operations.ts";
import { openAgentApi } from "../../../support/agent_api.ts";
import { askedWith } from "../../../support/asks_scope.ts";
import {
  askFor,
  namesSomething,
  oneOfEverything,
} from "../../../support/every_operation.ts";

/** Asks the processor for a link, of which there is none in these tests. */
const OF_PROCESSOR = "POST /billing_portal";

Deno.test("every operation is answered to a grant of its scope alone, and refused to one of any other, whatever ids it names", async () => {
  assertEquals(SCOPES.length, 17);
  assert(AGENT_OPERATIONS.length >= 33, `${AGENT_OPERATIONS.length}`);
  await using api = await openAgentApi();
  const owner = await api.world.agent("owner");
  const ids = await oneOfEverything(api, owner, "owner");
  for (const [at, scope] of SCOPES.entries()) {
    const as = await api.world.agent(`agent${at}`, { scopes: [scope] });
    for (const operation of AGENT_OPERATIONS) {
      const told = `${operation.at} with ${scope}`;
      const answer = await askFor(api, operation, { as, ids });
      const text = await answer.text();
      const isRefused = text.includes("agent.scope-missing");
      assertEquals(isRefused, operation.scope !== scope, told);
      assert(answer.status !== 401, told);
      assert(answer.status !== 500 || operation.at === OF_PROCESSOR, told);
      if (!isRefused) {
        // What another account has is not found, as what nobody has.
        const { status } = answer;
        if (namesSomething(operation)) {
          assert([400, 404].includes(status), told);
        }
        continue;
      }
      assertEquals(answer.status, 403, told);
      const challenge = answer.headers.get("www-authenticate") ?? "";
      const asked = `scope="${askedWith(operation.scope)}"`;
      assert(challenge.includes(asked), `${told}: ${challenge}`);
    }
  }
});

Deno.test("what another account has is answered as what nobody has, by every operation that names something", async () => {
  await using api = await openAgentApi();
  const [owner, other] = [
    await api.world.agent("owner", { scopes: SCOPES }),
    await api.world.agent("other", { scopes: SCOPES }),
  ];
  const theirs = await oneOfEverything(api, owner, "owner");
  const nobodys = Object.fromEntries(
    Object.entries(theirs).map(([name, id]) => [
      name,
      // A day that nobody has a report of, and ids of the same form.
      name === "reports" ? "2026-11-19" : id.replace(/.$/, "x"),
    ]),
  );
  const naming = AGENT_OPERATIONS.filter(namesSomething);
  assert(naming.length >= 12, `${naming.length}`);
  for (const operation of naming) {
    const answers: [number, string][] = [];
    for (const ids of [theirs, nobodys]) {
      const key = `key-${answers.length}`;
      const as = other;
      const answer = await askFor(api, operation, { as, ids, key });
      const text = await answer.text();
      const said = Object.values(ids)
        .reduce((rest, id) => rest.replaceAll(id, "ID"), text);
      answers.push([answer.status, said]);
    }
    const [first, second] = answers;
    assertEquals(first, second, operation.at);
    assert([404, 400].includes(first?.[0] ?? 0), `${operation.at}: ${first}`);
  }
});
