import { AssertionError, assertThrows } from "@std/assert";
import { assertLogKeepsSecrets } from "./log_secrets.ts";

for (
  const secret of [
    "svc_at_grant_1_abc",
    "svc_rt_grant_1_abc",
    "svc_ac_abc",
    "svc_sess=abc.def",
    "http://127.0.0.1:5/cb?code=abc&state=x",
    "code_verifier=abc",
    "ada@example.com",
  ]
) {
  Deno.test(`the check of every service's log finds "${secret}"`, () => {
    const line = JSON.stringify({ level: "info", event: "x", what: secret });
    assertThrows(
      () => assertLogKeepsSecrets(`{"status":200}\n${line}\n`),
      AssertionError,
    );
  });
}

Deno.test("the check of every service's log passes ordinary lines", () => {
  assertLogKeepsSecrets(
    '{"id":"req_1","method":"GET","route":"/api/v1/spotlights/:day"}\n',
  );
});
