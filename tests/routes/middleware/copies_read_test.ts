import { assertThrows } from "@std/assert";
import {
  COPIES_NETWORK_MAX,
  COPIES_READ_MAX,
  type Origin,
  TooMuchUnsent,
  UnsentAnswers,
} from "../../../routes/middleware/unsent_answers.ts";

/** The nth of as many networks as are needed for all places. */
function from(nth: number): Origin {
  const network = Math.floor(nth / COPIES_NETWORK_MAX);
  return { remoteAddress: `192.0.2.${network}`, forwardedFor: null };
}

Deno.test("one copy of an account is read at a time, and so many of all", () => {
  const unsent = new UnsentAnswers();
  const hold = (nth: number, account = `acc_${nth}`) =>
    unsent.holdCopy(from(nth), account);
  const letGo = hold(0);
  assertThrows(() => hold(COPIES_READ_MAX, "acc_0"), TooMuchUnsent);
  for (let nth = 1; nth < COPIES_READ_MAX; nth++) hold(nth);
  assertThrows(() => hold(COPIES_READ_MAX), TooMuchUnsent);
  letGo();
  hold(COPIES_READ_MAX);
  assertThrows(() => hold(COPIES_READ_MAX + 1), TooMuchUnsent);
});

Deno.test("one network reads so many copies at a time, and leaves places to others", () => {
  const unsent = new UnsentAnswers();
  const site = (link: number): Origin => ({
    remoteAddress: `2001:db8:1:${link.toString(16)}::1`,
    forwardedFor: null,
  });
  for (let nth = 0; nth < COPIES_NETWORK_MAX; nth++) {
    unsent.holdCopy(site(nth), `acc_${nth}`);
  }
  assertThrows(() => unsent.holdCopy(site(99), "acc_more"), TooMuchUnsent);
  unsent.holdCopy(from(0), "acc_more");
});

Deno.test("letting go of a copy twice takes nobody's place", () => {
  const unsent = new UnsentAnswers();
  const letGo = unsent.holdCopy(from(0), "acc_0");
  letGo();
  unsent.holdCopy(from(0), "acc_0");
  letGo();
  assertThrows(() => unsent.holdCopy(from(0), "acc_0"), TooMuchUnsent);
});
