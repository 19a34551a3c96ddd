import { assert, assertEquals } from "@std/assert";
import { dump } from "../../kv/dump.ts";
import { seen } from "../support/captured_logs.ts";
import { SoftAuthenticator } from "../support/authenticator.ts";
import { type RunningService, runService } from "../support/running_service.ts";

const ADA = "ada@example.com";

/** A client of a listening service that keeps cookies. */
function clientOf({ config }: RunningService) {
  const { baseUrl } = config.settings;
  const cookies = new Map<string, string>();
  const setCookies: string[] = [];
  async function post(path: string, type: string, body: string) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const answer = await seen.fetch(`${baseUrl}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: baseUrl, cookie, "content-type": type },
      body,
    });
    for (const line of answer.headers.getSetCookie()) {
      setCookies.push(line);
      const [name = "", value = ""] = line.split("; ")[0]?.split("=") ?? [];
      if (value !== "") cookies.set(name, value);
    }
    return answer;
  }
  const form = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields).toString();
    const type = "application/x-www-form-urlencoded";
    const answer = await post(path, type, body);
    await answer.body?.cancel();
    return answer.status;
  };
  const script = async (path: string, value: unknown) => {
    const answer = await post(path, "application/json", JSON.stringify(value));
    return { status: answer.status, body: await answer.json() };
  };
  return { baseUrl, cookies, setCookies, form, script };
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream).text();
}

/** Every way to sign in, and everything that has to stay a secret. */
async function signInInEveryWay(running: RunningService) {
  const client = clientOf(running);
  const { baseUrl, cookies } = client;
  const secrets: string[] = [];
  const keepCookies = () => {
    for (const value of cookies.values()) secrets.push(...value.split("."));
  };
  assertEquals(await client.form("/sign-in", { email: ADA, next: "/" }), 303);
  keepCookies();
  const outbox = await seen.fetch(`${baseUrl}/dev/outbox`, {
    headers: { accept: "application/json" },
  });
  const { mails } = await outbox.json();
  const code = /#c=(\d{8})/.exec(mails[0].text)?.[1] ?? "";
  secrets.push(code, `${code.slice(0, 4)} ${code.slice(4)}`);
  assertEquals(await client.form("/sign-in/verify", { code: "00000000" }), 400);
  assertEquals(await client.form("/sign-in/verify", { code }), 303);
  keepCookies();
  const device = new SoftAuthenticator();
  const choices = { origin: baseUrl, rpId: "localhost" };
  const options = await client.script("/passkeys/options", {});
  const response = device.create(options.body, choices);
  assertEquals((await client.script("/passkeys", { response })).status, 200);
  const asked = await client.script("/passkeys/sign-in/options", {});
  keepCookies();
  secrets.push(options.body.challenge, asked.body.challenge);
  const signed = { response: device.get(asked.body, choices), next: "/" };
  assertEquals((await client.script("/passkeys/sign-in", signed)).status, 200);
  keepCookies();
  await client.script("/passkeys/sign-in/options", {});
  assertEquals(await client.form("/sign-in", { email: ADA, next: "/" }), 303);
  keepCookies();
  return { client, secrets };
}

Deno.test("L1 L2 neither store nor log tells a cookie, code or challenge", async () => {
  await using running = await runService();
  const { secrets } = await signInInEveryWay(running);
  const { core, log } = running.service;
  log.info("end");
  const rows = (await textOf(dump(core.kv, { keys: null }))).split("\n")
    // In development mails stay in the store to be read there.
    .filter((line) => !line.startsWith('[["outbox"'));
  const stored = rows.join("\n");
  assert(stored.includes('[["sessions"'));
  assert(stored.includes('[["sign_in_challenges"'));
  assert(stored.includes('[["passkey_challenges"'));
  await running.service.stop();
  const logged = running.logged();
  assert(logged.includes('"route":"/sign-in/verify"'));
  assert(secrets.length > 10);
  for (const secret of secrets) {
    assert(secret.length >= 8);
    assert(!stored.includes(secret), "the store tells a secret");
    assert(!logged.includes(secret), "the log tells a secret");
  }
  assert(!logged.includes(ADA));
  assert(!stored.includes("127.0.0.1"));
});

Deno.test("S4 on http://localhost the cookie goes without Secure", async () => {
  await using running = await runService();
  const { client } = await signInInEveryWay(running);
  const session = client.setCookies.find((line) =>
    line.startsWith("svc_sess=")
  );
  const attributes = session?.split("; ").slice(1);
  assertEquals(attributes, [
    "Max-Age=2592000",
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
  ]);
});
