import { assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import type {
  IdentitySession,
} from "../../../domain/payments/processor_identity.ts";
import type { Services } from "../../../domain/ports.ts";
import { redactIdentity } from "../../../domain/privacy/redact_identity.ts";

/** Which of some checks the processor is asked to redact. */
async function redacted(
  checks: readonly Pick<IdentitySession, "id" | "status" | "isRedacted">[],
): Promise<string[]> {
  const asked: string[] = [];
  const processor = {
    listIdentitySessions: () =>
      Promise.resolve({ ok: true, value: { items: checks, nextCursor: null } }),
    redactIdentitySession(id: string) {
      asked.push(id);
      return Promise.resolve({ ok: true, value: { id } });
    },
  } as unknown as Services["processor"];
  await redactIdentity({ processor }, "acc_1");
  return asked;
}

const check = (
  id: string,
  status: IdentitySession["status"],
  isRedacted = false,
) => ({ id, status, isRedacted });

Deno.test("redactIdentity() asks for what was collected, once, and never of a check that was canceled", async () => {
  const asked = await redacted([
    check("vs_1", "verified"),
    check("vs_2", "requires_input"),
    check("vs_3", "verified", true),
    check("vs_4", "canceled"),
  ]);
  assertEquals(asked, ["vs_1", "vs_2"]);
});

Deno.test("redactIdentity() waits for a check that is under way, unless it is redacted already", async () => {
  await assertRejects(
    () => redacted([check("vs_1", "processing")]),
    ProcessorUncertain,
  );
  assertEquals(await redacted([check("vs_1", "processing", true)]), []);
});
