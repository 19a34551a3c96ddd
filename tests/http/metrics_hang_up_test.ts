/** A payer who hangs up while the processor is still being asked. */
import { assertEquals } from "@std/assert";
import { addDays, dayOf } from "../../domain/day.ts";
import { grantToken, sdk } from "../simulators/stripe/support.ts";
import { seen } from "../support/captured_logs.ts";
import { challengeIn, credential, outcomeOf } from "../support/paid_world.ts";
import { SECRET_KEY, shareService } from "../support/processes.ts";
import { rawRequest } from "../support/raw_http.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { until } from "../support/until.ts";

const encoder = new TextEncoder();
const DAY = addDays(dayOf(Date.now()), -1);

Deno.test("a payer who hung up before the answer is given it once, without a key", async () => {
  await using shared = await shareService();
  await shared.withStore(({ store }) => settle(store, spotlight(DAY)));
  const { baseUrl } = await shared.start();
  const { control, port } = shared.simulator;
  const address = `${baseUrl}/api/v1/spotlights/${DAY}/metrics`;
  const asked = await fetch(address);
  await asked.body?.cancel();
  const { id: spt } = await grantToken(sdk(port, SECRET_KEY), {
    maxAmount: 500,
  });
  seen.add("payment credential", spt);
  const headers = { authorization: credential(challengeIn(asked), { spt }) };
  const present = async () =>
    await outcomeOf(await fetch(address, { headers }));

  control.addFault({
    kind: "hold",
    method: "POST",
    path: "/v1/payment_intents",
  });
  const { hostname, port: listened, host, pathname } = new URL(address);
  const line = await Deno.connect({ hostname, port: Number(listened) });
  const lines = [`Host: ${host}`, `Authorization: ${headers.authorization}`];
  await line.write(encoder.encode(rawRequest(pathname, lines)));
  await until(() => control.faults().every(({ struck }) => struck > 0));
  // Closed here and now, as no client that ends a request later would do it: the
  // service hears of it before what is asked of it afterwards.
  line.close();
  await (await fetch(address)).body?.cancel();
  control.clearFaults();
  control.releaseRequests();

  let outcome = "";
  await until(async () => {
    outcome = await present();
    return !/^(429|503) /.test(outcome);
  });
  assertEquals(outcome, "200");
  assertEquals(await present(), "402 invalid-challenge");
  const charges = control.objects("charge");
  assertEquals(charges.map(({ amount }) => amount), [100]);
});
