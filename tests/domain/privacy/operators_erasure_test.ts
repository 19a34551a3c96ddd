import { mailedTo } from "../../../domain/accounts/mailed_to.ts";
import { assertEquals } from "@std/assert";
import {
  confirmErasure,
  readErasure,
  requestErasure,
} from "../../../domain/privacy/request_erasure.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { assertRefused } from "../../support/refused.ts";
import { saveSession } from "../../support/sessions.ts";

Deno.test("the account of an operator is neither asked to be erased nor confirmed to be, until the configuration names it no more", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const { account: { id: accountId, email } } = await world.agent("ada");
  const operating = {
    ...services,
    settings: { ...services.settings, operatorEmails: [email] },
  };
  const session = await saveSession(services, accountId);
  const asked = { accountId, grantId: null, by: { session }, binding: null };
  await assertRefused(() => requestErasure(operating, asked), "invalid_input");
  assertEquals(await readErasure(services, accountId), null);
  // Asked for before the address was an operator's.
  await requestErasure(services, asked);
  const { id: erasureId = "" } = await readErasure(services, accountId) ?? {};
  const to = mailedTo({ id: accountId, email });
  const own = { accountId, erasureId, to };
  await assertRefused(() => confirmErasure(operating, own), "invalid_input");
  assertEquals((await readErasure(services, accountId))?.state, "asked");
  assertEquals((await confirmErasure(services, own)).state, "confirmed");
});
