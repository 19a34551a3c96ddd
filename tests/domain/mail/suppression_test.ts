import { assertEquals } from "@std/assert";
import type { Account } from "../../../domain/accounts/account.ts";
import {
  keepSuppression,
  takeSuppression,
} from "../../../domain/mail/suppression.ts";
import { TEST_KEYS } from "../../support/keys.ts";
import { openTestStore } from "../../support/store.ts";

const EMAIL = "ada@example.org";

Deno.test("what an address wanted none of is kept by a hash, and taken once; of one that wanted all nothing is kept", async () => {
  await using test = await openTestStore();
  const { store, realKv } = test;
  const rows = async () =>
    (await Array.fromAsync(realKv.list({ prefix: ["mail_suppressions"] })))
      .length;
  const keep = (choices: Pick<Account, "mutedMails">) =>
    store.transact((tx) => {
      keepSuppression(TEST_KEYS, tx, { email: EMAIL, ...choices });
      return Promise.resolve();
    });
  const take = () =>
    store.transact((tx) => takeSuppression(TEST_KEYS, tx, EMAIL));
  for (const none of [{}, { mutedMails: [] }]) {
    await keep(none);
    assertEquals([await rows(), await take()], [0, []]);
  }
  await keep({ mutedMails: ["bid_lost"] });
  assertEquals(await rows(), 1);
  assertEquals(await take(), ["bid_lost"]);
  assertEquals([await rows(), await take()], [0, []]);
});
