import { assertEquals } from "@std/assert";
import { networksOf } from "../../../domain/rate_limit/network.ts";
import {
  mailboxOf,
  newBrowserCharges,
} from "../../../domain/sign_in/mail_charges.ts";

Deno.test("mailboxOf() is the same for addresses that reach one person", () => {
  for (
    const [email, mailbox] of [
      ["ada@example.com", "ada@example.com"],
      ["Ada+ads+more@Example.com", "ada@example.com"],
      ["a.d.a+1@gmail.com", "ada@gmail.com"],
      ["ada@googlemail.com", "ada@gmail.com"],
      ["a.d.a@example.com", "a.d.a@example.com"],
      ["+ads@example.com", "+ads@example.com"],
    ] as const
  ) assertEquals(mailboxOf(email), mailbox, email);
});

Deno.test("codes to labels of one mailbox draw on what that mailbox has", () => {
  const charged = (email: string) =>
    newBrowserCharges(email, networksOf("192.0.2.1")).map(({ id }) => id);
  assertEquals(charged("ada+1@gmail.com"), charged("ada@gmail.com"));
});
