import { assertEquals } from "@std/assert";
import { readRedirectUris } from "../../../../domain/oauth/clients/redirect_uris.ts";

const GOOD = "https://agent.example/callback";

function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, nth) => `${GOOD}/${nth}`);
}

Deno.test("readRedirectUris() takes one address to ten, each once", () => {
  assertEquals(readRedirectUris([GOOD]), { kept: [GOOD], dropped: [] });
  const ten = addresses(10);
  assertEquals(readRedirectUris(ten), { kept: ten, dropped: [] });
  assertEquals(readRedirectUris([GOOD, GOOD]), { kept: [GOOD], dropped: [] });
});

Deno.test("readRedirectUris() takes nothing but a list of up to ten texts", () => {
  for (const value of [undefined, GOOD, { 0: GOOD }, [], addresses(11)]) {
    assertEquals(readRedirectUris(value), null, JSON.stringify(value));
  }
  for (const other of [1, null, [GOOD]]) {
    assertEquals(readRedirectUris([GOOD, other]), null);
    assertEquals(readRedirectUris([other]), null);
  }
});

Deno.test("readRedirectUris() drops what can't be used while something remains", () => {
  const read = readRedirectUris(["cursor://agent/callback", GOOD]);
  assertEquals(read?.kept, [GOOD]);
  const [dropped, ...more] = read?.dropped ?? [];
  assertEquals(more, []);
  assertEquals(dropped?.redirectUri, "cursor://agent/callback");
  assertEquals(dropped?.reason.slice(0, 5), "must ");
  assertEquals(readRedirectUris(["cursor://agent/callback"]), null);
});
