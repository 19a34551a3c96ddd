import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { newAccount } from "../../../../domain/accounts/new_account.ts";
import { endPartner } from "../../../../domain/partners/decide_partner.ts";
import { openBillingSite } from "../../../support/billing_site.ts";
import { savePartner } from "../../../support/partners.ts";

/** The name of the applicant at that place, longest waiting first. */
const nameOf = (nth: number) => `applicant${String(nth).padStart(3, "0")}`;

Deno.test("applications push no approved partner off the desk, and are read to the last one, oldest first", async () => {
  await using site = await openBillingSite();
  const { services } = site;
  await savePartner(services); // its id is behind those of the applications
  const nowMs = services.clock.now();
  const count = 205;
  for (let nth = 0; nth < count; nth++) {
    // The ids are in the other order than the moments.
    const accountId = `acc_0${String(count - nth).padStart(3, "0")}`;
    await savePartner(services, {
      partner: {
        accountId,
        state: "applied",
        decidedAtMs: null,
        reason: null,
        connectedAccount: null,
        appliedAtMs: nowMs + nth,
      },
      account: {
        id: accountId,
        email: `${nameOf(nth)}@x.example`,
        partner: false,
      },
    });
  }
  const desk = await site.browser("operator");
  let path: string | null = "/operator/partners";
  const seen: string[] = [];
  for (let pages = 0; path !== null && pages < 9; pages++) {
    const html: string = await (await desk.get(path)).text();
    assertStringIncludes(html, "grace@newsletter.example");
    seen.push(...[...html.matchAll(/applicant\d{3}/g)].map(([name]) => name));
    path = /href="([^"]+)"[^>]*>Later applications/.exec(html)?.[1] ?? null;
  }
  assertEquals(seen, Array.from({ length: count }, (_, nth) => nameOf(nth)));
});

Deno.test("applications hide nothing that waits about accounts, which is paged, and the desk counts each by itself", async () => {
  await using site = await openBillingSite();
  const { services } = site;
  const { store } = services;
  const nowMs = services.clock.now();
  for (let nth = 0; nth < 60; nth++) {
    const accountId = `acc_0${nth}`;
    await savePartner(services, {
      partner: { accountId, state: "applied", appliedAtMs: nowMs - 1_000 },
      account: {
        id: accountId,
        email: `${nameOf(nth)}@x.example`,
        partnership: { state: "applied", sinceMs: nowMs - 1_000 },
      },
    });
    await store.transact((tx) =>
      tx.accounts.save({
        ...newAccount(`acc_lost${nth}`, `lost${nth}@x.example`, nowMs),
        disputeOpen: true,
        blockingDisputes: [`du_${nth}`],
        lostDisputes: [`du_${nth}`],
        disputeLostAtMs: nowMs + nth,
      })
    );
  }
  const desk = await site.browser("operator");
  const read = async (path: string) => {
    const html = await (await desk.get(path)).text();
    const ids = [...html.matchAll(/accounts\/(acc_[a-z]*\d+)"/g)]
      .map(([, id]) => id);
    const next = /href="([^"]+)"[^>]*>Later cases/.exec(html)?.[1] ?? "";
    return { ids, next, html };
  };
  const first = await read("/operator/accounts");
  const second = await read(first.next);
  assertEquals(
    [...first.ids, ...second.ids],
    Array.from({ length: 60 }, (_, nth) => `acc_lost${nth}`),
  );
  assertEquals([first.ids.length, second.next], [50, ""]);
  const unknown = await desk.get("/operator/accounts?cursor=xyz");
  assertEquals(unknown.status, 400);
  const { html } = await read("/operator");
  assertStringIncludes(html, "accounts to decide about");
  assertStringIncludes(html, "applications to be a partner");
});

Deno.test("partners are paged by when they were decided last, and a decision moves one to the front", async () => {
  await using site = await openBillingSite();
  const { services } = site;
  const nowMs = services.clock.now();
  for (let nth = 0; nth < 55; nth++) {
    const accountId = `acc_p${nth}`;
    await savePartner(services, {
      partner: { accountId, decidedAtMs: nowMs - nth },
      account: { id: accountId, email: `p${nth}@x.example` },
    });
  }
  const desk = await site.browser("operator");
  const read = async (path: string) => {
    const html = await (await desk.get(path)).text();
    const names = [...html.matchAll(/p\d+@x\.example/g)].map(([name]) => name);
    const next = /href="([^"]+)"[^>]*>Decided earlier/.exec(html)?.[1] ?? "";
    return { names, next };
  };
  const first = await read("/operator/partners");
  assertEquals([first.names.length, first.names[0]], [50, "p0@x.example"]);
  const second = await read(first.next);
  assertEquals(second.names.at(-1), "p54@x.example");
  assertEquals([second.names.length, second.next], [5, ""]);
  await endPartner(services, {
    accountId: "acc_p54",
    by: { kind: "operator_key" },
    reason: "Sends nobody any more",
    about: null,
  });
  assertEquals((await read("/operator/partners")).names[0], "p54@x.example");
  const unknown = await desk.get("/operator/partners?cursor=xyz");
  assert(unknown.status === 400);
});
