import { assertEquals, assertThrows } from "@std/assert";
import {
  ANSWER_COST,
  NETWORK_UNSENT_MAX,
  PROCESS_UNSENT_MAX,
  TooMuchUnsent,
  UnsentAnswers,
} from "../../../routes/middleware/unsent_answers.ts";

const MIB = 1_048_576;
/** With what an answer takes besides, a quarter of what a network may have. */
const QUARTER = NETWORK_UNSENT_MAX / 4 - ANSWER_COST;

function from(remoteAddress: string, forwardedFor: string | null = null) {
  return { remoteAddress, forwardedFor };
}

/** How many such answers can be held before one is refused. */
function heldFor(
  unsent: UnsentAnswers,
  addressOf: (nth: number) => string,
  ownBytes = QUARTER,
): number {
  for (let nth = 0;; nth++) {
    try {
      unsent.hold(from(addressOf(nth)), ownBytes);
    } catch (error) {
      if (error instanceof TooMuchUnsent) return nth;
      throw error;
    }
  }
}

Deno.test("an IPv4 address has 4 MiB of large answers kept for it, and is told when to come again", () => {
  const unsent = new UnsentAnswers();
  assertEquals(heldFor(unsent, () => "192.0.2.1"), 4);
  assertEquals(unsent.total, NETWORK_UNSENT_MAX);
  const refused = assertThrows(
    () => unsent.hold(from("192.0.2.1"), 0),
    TooMuchUnsent,
  );
  assertEquals(refused.retryAfterS, 10);
  assertEquals(heldFor(unsent, () => "192.0.2.2"), 4, "others have their own");
});

Deno.test("an IPv6 /48 has no more kept for it than an address, whatever /64s it asks from", () => {
  const unsent = new UnsentAnswers();
  const neighbour = (nth: number) => `2001:db8:1:${nth.toString(16)}::1`;
  assertEquals(heldFor(unsent, neighbour), 4);
  assertEquals(heldFor(unsent, () => "2001:db8:2::1"), 4);
});

Deno.test("behind our proxies the client's network is counted, and theirs is not", () => {
  const unsent = new UnsentAnswers(1);
  for (let nth = 0; nth < 10; nth++) {
    unsent.hold(from("10.0.0.1", `192.0.2.${nth}`), NETWORK_UNSENT_MAX);
  }
  assertThrows(
    () => unsent.hold(from("10.0.0.1", "192.0.2.1"), QUARTER),
    TooMuchUnsent,
  );
});

Deno.test("an answer longer than a network's share goes out where none waits", () => {
  const unsent = new UnsentAnswers();
  const letGo = unsent.hold(from("192.0.2.1"), 3 * NETWORK_UNSENT_MAX);
  assertThrows(() => unsent.hold(from("192.0.2.1"), 0), TooMuchUnsent);
  letGo();
  unsent.hold(from("192.0.2.1"), 3 * NETWORK_UNSENT_MAX);
});

Deno.test("what has been sent, or never will be, is counted no more", () => {
  const unsent = new UnsentAnswers();
  const all = [1, 2, 3, 4].map(() => unsent.hold(from("192.0.2.1"), QUARTER));
  assertThrows(() => unsent.hold(from("192.0.2.1"), QUARTER), TooMuchUnsent);
  for (const letGo of all) letGo();
  assertEquals(unsent.total, 0);
  assertEquals(heldFor(unsent, () => "192.0.2.1"), 4);
});

Deno.test("thousands of networks that read nothing keep no more than a process may hold, and the more hold of it the less each may", () => {
  const unsent = new UnsentAnswers();
  const ownBytes = MIB / 8 - ANSWER_COST;
  const helds: number[] = [];
  for (let nth = 0; nth < 5_000; nth++) {
    const address = `10.0.${nth >> 8}.${nth & 255}`;
    helds.push(heldFor(unsent, () => address, ownBytes));
  }
  assertEquals(helds[0], 32, "4 MiB at first");
  assertEquals(unsent.total <= PROCESS_UNSENT_MAX, true);
  const served = helds.filter((held) => held > 0).length;
  assertEquals(served >= 100, true, `${served} networks were answered`);
  assertEquals(helds.toSorted((a, b) => b - a), helds);
});

Deno.test("what is kept for others is counted for an IPv4 address or an IPv6 /48, as our proxies tell it", () => {
  const direct = new UnsentAnswers();
  assertEquals(direct.networkOf(from("192.0.2.1", "192.0.2.9")), "192.0.2.1");
  const [one, other] = ["2001:db8:1:1::1", "2001:db8:1:ff00::2"]
    .map((address) => direct.networkOf(from(address)));
  assertEquals(one, "2001:db8:1::/48");
  assertEquals(other, one);
  const proxied = new UnsentAnswers(1);
  assertEquals(proxied.networkOf(from("10.0.0.1", "192.0.2.9")), "192.0.2.9");
});
