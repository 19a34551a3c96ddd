/**
 * Whose bucket a request draws on, as a client over TCP can tell.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { ManualClock } from "../support/clock.ts";
import { rawRequest, sendRaw } from "../support/raw_http.ts";
import { type RunningService, runService } from "../support/running_service.ts";

/** What is left in the bucket of a request with these headers. */
async function left(
  { config }: RunningService,
  ...headers: string[]
): Promise<number> {
  const { host, port } = new URL(config.settings.baseUrl);
  const lines = [`Host: ${host}`, ...headers];
  const answer = await sendRaw(+port, rawRequest("/api/v1/sandbox", lines));
  return Number(/^ratelimit: "agent";r=(\d+)\r$/m.exec(answer)?.[1]);
}

/** No token comes back meanwhile. */
const STILL = { clock: new ManualClock() };

const BEHIND_ONE = { ...STILL, env: { TRUSTED_PROXY_HOPS: "1" } };

Deno.test("I1 a client without a proxy cannot choose its bucket by X-Forwarded-For", async () => {
  await using running = await runService(STILL);
  assertEquals(await left(running), 119);
  assertEquals(await left(running, "X-Forwarded-For: 192.0.2.1"), 118);
  assertEquals(await left(running, "X-Forwarded-For: 192.0.2.2"), 117);
});

Deno.test("I2 of two X-Forwarded-For headers the last entry counts", async () => {
  await using running = await runService(BEHIND_ONE);
  const first = "X-Forwarded-For: 192.0.2.1";
  const second = "X-Forwarded-For: 192.0.2.2";
  assertEquals(await left(running, second), 119);
  assertEquals(await left(running, first, second), 118);
  assertEquals(await left(running, second, first), 119);
});

Deno.test("I3 an X-Forwarded-For that is no address counts as the socket's", async () => {
  await using running = await runService(BEHIND_ONE);
  assertEquals(await left(running), 119);
  for (const [turn, text] of ["garbage", "", "1.2.3", ",,", "::g"].entries()) {
    assertEquals(await left(running, `X-Forwarded-For: ${text}`), 118 - turn);
  }
});

Deno.test("I4 neighbours in one IPv6 /64 share a bucket", async () => {
  await using running = await runService(BEHIND_ONE);
  const from = (address: string) =>
    left(running, `X-Forwarded-For: ${address}`);
  assertEquals(await from("2001:db8:1:2::1"), 119);
  assertEquals(await from("2001:DB8:1:2:ffff:ffff:ffff:ffff"), 118);
  assertEquals(await from("2001:db8:1:3::1"), 119);
});

Deno.test("I5 x-deno-client-address is ignored", async () => {
  await using running = await runService(STILL);
  assertEquals(await left(running), 119);
  assertEquals(await left(running, "x-deno-client-address: 9.9.9.9:1"), 118);
});
