import { assert, assertEquals } from "@std/assert";
import { type Scope, SCOPES } from "../../domain/oauth/grant.ts";
import { openAgentApi } from "./agent_api.ts";

/**
 * Holds that an operation is refused to a grant of every other scope, with a
 * challenge that names the one it takes, and without a token.
 *
 * @param operation method and path
 */
export async function assertAsksScope(
  operation: string,
  scope: Scope,
): Promise<void> {
  const [method = "", path = ""] = operation.split(" ");
  await using api = await openAgentApi();
  const scopes = SCOPES.filter((each) => each !== scope);
  const ada = await api.world.agent("ada", { scopes });
  const answer = await api.ask(path, { as: ada, method });
  assertEquals(answer.status, 403);
  const challenge = answer.headers.get("www-authenticate") ?? "";
  assert(challenge.includes(`scope="${askedWith(scope)}"`), challenge);
  assertEquals((await answer.json()).code, "agent.scope-missing");
  const none = await api.ask(path, { method });
  assertEquals([none.status, await none.text()], [401, ""]);
}

/** What a challenge for a scope names: of what is written the reading too. */
export function askedWith(scope: Scope): string {
  const reading = scope.replace(/:write$/, ":read");
  const isKnown = SCOPES.some((each) => each === reading);
  return scope === reading || !isKnown ? scope : `${reading} ${scope}`;
}
