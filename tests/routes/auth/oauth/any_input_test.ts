import { assert } from "@std/assert";
import fc from "fast-check";
import {
  authorizationQuery,
  codeForm,
  connect,
  postRegistration,
  REDIRECT_URI,
  refreshForm,
  register,
} from "../../../support/oauth_flow.ts";
import { toBase64url } from "../../../../routes/http/base64url.ts";
import { openOauthWorld } from "../../../support/oauth_world.ts";

const NAMES = [
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "request",
  "grant_type",
  "code",
  "code_verifier",
  "refresh_token",
  "token",
  "token_type_hint",
  "client_assertion",
  "client_assertion_type",
  "__proto__",
];

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "",
    "svc_rt__",
    "https://x.example/c.json",
    "https://[",
    "a".repeat(3_000),
    "eyJhbGciOiJub25lIn0.e30.",
  ),
);

/** Some parameters in place of the good ones. */
const changes = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.constant(null)),
  { maxKeys: 4 },
);

/** Bytes that are no valid percent-encoding, appended as they are. */
const tail = fc.constantFrom("", "&%", "&state=%ff", "&=x", "&&", "&a=%zz#");

Deno.test("no parameters of an authorization request or token request give a 500", async () => {
  await using world = await openOauthWorld();
  // Every fetched document is a refusal; none goes out.
  world.clients.resolve = () => Promise.resolve([]);
  const clientId = await register(world);
  const connected = await connect(world, { clientId });
  const { refresh_token } = connected.tokens;
  await fc.assert(
    fc.asyncProperty(changes, tail, fc.boolean(), async (given, end, first) => {
      const query = authorizationQuery(clientId, given);
      const started = await world.ask(`${query}${end}`);
      const form = first
        ? codeForm(connected, { code: "svc_ac_x", ...given })
        : refreshForm(clientId, refresh_token, given);
      const answered = await world.post(form);
      for (const answer of [started, answered]) {
        await answer.body?.cancel();
        assert(answer.status < 500, `${answer.status}`);
      }
      const location = started.headers.get("location") ?? "";
      assert(!location.includes("client.example"));
    }),
    { numRuns: 400 },
  );
});

/** What a signed text may claim of itself, of any type. */
const claims = fc.dictionary(
  fc.constantFrom("iss", "sub", "aud", "exp", "nbf", "jti"),
  fc.oneof(fc.jsonValue(), text),
);

Deno.test("no claims of an assertion give a 500: whoever signs what nobody can be is told so", async () => {
  await using world = await openOauthWorld();
  world.clients.resolve = () => Promise.resolve([]);
  const connected = await connect(world, { clientId: await register(world) });
  const { refresh_token } = connected.tokens;
  const forms = [
    refreshForm("", refresh_token, { client_id: null }),
    codeForm({ clientId: "", code: "svc_ac_x" }, { client_id: null }),
    { token: refresh_token },
  ];
  await fc.assert(
    fc.asyncProperty(
      claims,
      fc.constantFrom(...forms),
      async (claimed, form) => {
        const [header = "", payload = ""] = [{ alg: "ES256" }, claimed]
          .map((part) => toBase64url(JSON.stringify(part)));
        const answer = await world.post({
          ...form,
          client_assertion: `${header}.${payload}.AAAA`,
          client_assertion_type:
            "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        });
        await answer.body?.cancel();
        assert(answer.status < 500, `${answer.status}`);
      },
    ),
    {
      numRuns: 300,
      examples: [5, true, 0, null, {}, [":"], ["https://a.example/c"], "\ud800"]
        .flatMap((sub) => forms.map((form) => [{ sub }, form])) as never,
    },
  );
});

Deno.test("no metadata gives a 500 at registration", async () => {
  await using world = await openOauthWorld();
  const names = ["redirect_uris", "client_name", "grant_types", "scope", "x"];
  const metadata = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...names), fc.jsonValue()),
    fc.record({
      redirect_uris: fc.constant([REDIRECT_URI]),
      client_name: text,
      grant_types: fc.jsonValue(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(metadata, async (each) => {
      const answer = await postRegistration(world, each);
      await answer.body?.cancel();
      assert([201, 400].includes(answer.status), `${answer.status}`);
    }),
    { numRuns: 200 },
  );
});
