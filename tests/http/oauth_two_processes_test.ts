/** Codes and refresh tokens, asked of two processes over one store at once. */
import { assert, assertEquals } from "@std/assert";
import { approveAuthorization } from "../../domain/oauth/authorize/approve_authorization.ts";
import { startAuthorization } from "../../domain/oauth/authorize/start_authorization.ts";
import type { Services } from "../../domain/ports.ts";
import { saveSession } from "../support/sessions.ts";
import { seen } from "../support/captured_logs.ts";
import { readyAccount } from "../support/bidding_world.ts";
import {
  CHALLENGE,
  codeForm,
  REDIRECT_URI,
  refreshForm,
  type TokenBody,
} from "../support/oauth_flow.ts";
import {
  formOf,
  type Members,
  paramsOf,
  saveAccount,
} from "../support/oauth_world.ts";
import { type ChildService, shareService } from "../support/processes.ts";

const CLIENT_ID = "dcr_client";

Deno.test("C3 50 redemptions of one code through two processes give one token", async () => {
  await using shared = await shareService();
  const code = await shared.withStore(approvedCode);
  const both = [await shared.start(), await shared.start()];
  const form = codeForm({ clientId: CLIENT_ID, code });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => post(both[n % 2], form)),
  );
  const won = answers.filter(({ status }) => status === 200);
  assertEquals(won.length, 1);
  assert(answers.every(({ status }) => [200, 400, 503].includes(status)));
});

Deno.test("T5 parallel refreshes through two processes give one successor", async () => {
  await using shared = await shareService();
  const code = await shared.withStore(approvedCode);
  const both = [await shared.start(), await shared.start()];
  const first = await post(both[0], codeForm({ clientId: CLIENT_ID, code }));
  const form = refreshForm(CLIENT_ID, first.body.refresh_token);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => post(both[n % 2], form)),
  );
  const good = answers.filter(({ status }) => status === 200);
  assert(good.length > 0);
  assert(answers.every(({ status }) => [200, 503].includes(status)));
  const successors = good.map(({ body }) => body.refresh_token);
  assertEquals(new Set(successors).size, 1);
  const next = refreshForm(CLIENT_ID, successors[0] ?? "");
  assertEquals((await post(both[1], next)).status, 200);
});

Deno.test("R1 a token revoked at one process fails the next request at the other", async () => {
  await using shared = await shareService();
  const code = await shared.withStore(approvedCode);
  const [one, two] = [await shared.start(), await shared.start()];
  const { body } = await post(one, codeForm({ clientId: CLIENT_ID, code }));
  const token = body.access_token;
  assertEquals(await read(two, token), 200);
  await post(one, { token });
  assertEquals(await read(two, token), 401);
});

async function approvedCode(services: Services): Promise<string> {
  await saveAccount(services, readyAccount("ada"));
  const client = {
    id: CLIENT_ID,
    name: "Client",
    redirectUris: [REDIRECT_URI],
  };
  const createdAtMs = services.clock.now();
  await services.store.transact((tx) =>
    tx.clients.save({ ...client, createdAtMs, expiresAtMs: null })
  );
  const query = paramsOf({
    response_type: "code",
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT_URI,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
  });
  const started = await startAuthorization(services, {
    query: query.toString(),
    admit: () => Promise.resolve(),
    resolveClient: () =>
      Promise.resolve({
        ...client,
        host: null,
        authentication: { method: "none" },
      }),
  });
  assert(started.kind === "waiting");
  const { redirectTo } = await approveAuthorization(services, {
    requestId: started.request.id,
    sessionHash: "session",
    session: await saveSession(services),
    scopes: ["account:read"],
    mandate: null,
  });
  return new URL(redirectTo).searchParams.get("code") ?? "";
}

async function post(
  child: ChildService | undefined,
  members: Members,
): Promise<{ status: number; body: TokenBody }> {
  assert(child);
  const answer = await seen.fetch(
    `${child.authUrl}/oauth/token`,
    formOf(members),
  );
  const text = await answer.text();
  return {
    status: answer.status,
    body: text === "" ? {} : JSON.parse(text),
  };
}

async function read({ authUrl }: ChildService, token: string): Promise<number> {
  const answer = await seen.fetch(`${authUrl}/v1/agent/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await answer.body?.cancel();
  return answer.status;
}
