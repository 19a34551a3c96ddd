/**
 * JSON that names a member twice is taken by no route there is: which of the
 * two counts would be a guess, and the amount of a bid may be one of them.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import {
  type AskedEverywhere,
  askedEverywhere,
  FORM_TYPE,
  JSON_TYPE,
  WITHOUT_BODY,
  WITHOUT_FIELDS,
} from "../support/asked_everywhere.ts";
import type { Operation } from "../support/every_route.ts";
import { rawStatus, sendRaw } from "../support/raw_http.ts";

/** The processor's own notifications, whose signature is looked at first. */
const NOT_OURS = "POST /webhooks/stripe";

async function answerTo(
  everywhere: AskedEverywhere,
  operation: Operation,
  body: string,
): Promise<string> {
  const head = await everywhere.headOf(operation, JSON_TYPE);
  const lines = [
    ...head,
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  const port = Number(new URL(operation.url).port);
  return await sendRaw(port, `${lines.join("\r\n")}\r\n\r\n${body}`);
}

Deno.test("JSON that names a member twice, or nests too deeply, is 400 at every route", async () => {
  await using everywhere = await askedEverywhere();
  let refused = 0;
  for (const operation of everywhere.changing) {
    const { name } = operation;
    if (
      [...WITHOUT_BODY, ...WITHOUT_FIELDS].includes(name) || name === NOT_OURS
    ) continue;
    const twice = await answerTo(everywhere, operation, '{"a":1,"\\u0061":2}');
    assertEquals(rawStatus(twice), 400, `${name}: ${twice}`);
    if (twice.includes(FORM_TYPE)) continue;
    assert(twice.includes("ust name no member twice"), `${name}: ${twice}`);
    const deep = `${'{"a":'.repeat(33)}1${"}".repeat(33)}`;
    const tooDeep = await answerTo(everywhere, operation, deep);
    assertEquals(rawStatus(tooDeep), 400, `${name}: ${tooDeep}`);
    assert(tooDeep.includes("32 levels deep"), `${name}: ${tooDeep}`);
    refused++;
  }
  assert(refused >= 20, `${refused} routes read JSON`);
});
