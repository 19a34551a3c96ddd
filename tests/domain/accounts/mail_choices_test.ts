import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  chooseMails,
  wantsMail,
  withMailChoices,
} from "../../../domain/accounts/mail_choices.ts";
import { MUTABLE_MAILS } from "../../../domain/mail/mail_kinds.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { assertRefused } from "../../support/refused.ts";
import { openTestStore } from "../../support/store.ts";

const ADA = newAccount("acc_ada", "ada@example.com", 0);

Deno.test("a new account wants every mail", () => {
  assert(MUTABLE_MAILS.every((mail) => wantsMail(ADA, mail)));
});

Deno.test("withMailChoices() is the last choice of each mail, after any of them", () => {
  const choices = fc.record(
    Object.fromEntries(MUTABLE_MAILS.map((mail) => [mail, fc.boolean()])),
    { requiredKeys: [] },
  );
  fc.assert(fc.property(fc.array(choices, { maxLength: 6 }), (all) => {
    const account = all.reduce(withMailChoices, ADA);
    const last = Object.assign(
      Object.fromEntries(MUTABLE_MAILS.map((mail) => [mail, true])),
      ...all,
    );
    for (const mail of MUTABLE_MAILS) {
      assertEquals(wantsMail(account, mail), last[mail]);
    }
    // The very same account where nothing changes: nothing is written then.
    assert(withMailChoices(account, last) === account);
    assert(withMailChoices(account, {}) === account);
  }));
});

Deno.test("chooseMails() saves what is wanted, of accounts that there are", async () => {
  await using test = await openTestStore();
  const { store } = test;
  const accountId = ADA.id;
  const choices = { review: false };
  await assertRefused(
    () => chooseMails({ store }, { accountId, choices }),
    "account_not_found",
  );
  await store.transact((tx) => tx.accounts.save(ADA));
  await chooseMails({ store }, { accountId, choices });
  const saved = await store.accounts.find(accountId);
  assertEquals(saved, { ...ADA, mutedMails: ["review"] });
});
