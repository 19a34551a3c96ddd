import { assert, assertEquals } from "@std/assert";
import { assertProblem, KEY, openOperatorSite } from "./operator_site.ts";

const PATHS = ["jobs", "backup", "auctions/2026-11-20", "nothing/here"];
const DETAIL = "Cannot authorize the request: the operator key is not valid";

for (
  const [what, key] of [
    ["no key", null],
    ["an empty key", ""],
    ["another key", "operator-key-of-at-least-thirty-two-bits!"],
    ["the beginning of the key", KEY.slice(0, -1)],
    ["the key and more", `${KEY}x`],
  ] as const
) {
  Deno.test(`the operator API answers 401 on every path to ${what}`, async () => {
    await using site = await openOperatorSite();
    for (const path of PATHS) {
      const response = await site.operate("GET", path, { key });
      assertEquals(
        response.headers.get("www-authenticate"),
        'Bearer realm="operator"',
      );
      await assertProblem(response, 401, "AUTH_REQUIRED", DETAIL);
    }
  });
}

Deno.test("the operator API takes a token for each wrong key until it answers 429", async () => {
  await using site = await openOperatorSite();
  const guess = () => site.operate("GET", "jobs", { key: "a guess" });
  for (let left = 119; left >= 0; left--) {
    const response = await guess();
    assertEquals(response.headers.get("ratelimit"), `"agent";r=${left}`);
    assertEquals(response.status, 401);
    await response.body?.cancel();
  }
  const refused = await guess();
  assertEquals(refused.headers.get("retry-after"), "1");
  await assertProblem(
    refused,
    429,
    "RATE_LIMITED",
    "Cannot answer now: too many requests, retry in 1 second",
  );
  const elsewhere = await site.operate("GET", "jobs", {
    key: "a guess",
    from: "192.0.2.9",
  });
  assertEquals(elsewhere.status, 401);
  await elsewhere.body?.cancel();
});

Deno.test("the operator API costs nothing to who holds the key", async () => {
  await using site = await openOperatorSite();
  for (let count = 0; count < 150; count++) {
    const response = await site.operate("GET", "jobs");
    assertEquals(response.status, 200);
    assert(!response.headers.has("ratelimit"));
    await response.body?.cancel();
  }
});

Deno.test("the operator API answers 404 to a path and 405 to a method it has not", async () => {
  await using site = await openOperatorSite();
  await assertProblem(
    await site.operate("GET", "nothing/here"),
    404,
    "NOT_FOUND",
    'Cannot find "/operator/v1/nothing/here"',
  );
  const response = await site.operate("DELETE", "jobs");
  assertEquals(response.status, 405);
  assertEquals(response.headers.get("allow"), "GET, HEAD");
  await response.body?.cancel();
});
