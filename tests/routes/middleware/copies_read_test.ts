import { assertThrows } from "@std/assert";
import {
  COPIES_READ_MAX,
  TooMuchUnsent,
  UnsentAnswers,
} from "../../../routes/middleware/unsent_answers.ts";

Deno.test("one copy of an account is read at a time, and so many of all", () => {
  const unsent = new UnsentAnswers();
  const letGo = unsent.holdCopy("acc_0");
  assertThrows(() => unsent.holdCopy("acc_0"), TooMuchUnsent);
  for (let nth = 1; nth < COPIES_READ_MAX; nth++) unsent.holdCopy(`acc_${nth}`);
  assertThrows(() => unsent.holdCopy("acc_new"), TooMuchUnsent);
  letGo();
  unsent.holdCopy("acc_new");
  assertThrows(() => unsent.holdCopy("acc_0"), TooMuchUnsent);
});
