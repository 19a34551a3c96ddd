import { ProcessorUncertain } from "../failure.ts";
import { readUpTo } from "../payments/read_up_to.ts";
import type { Services } from "../ports.ts";

/** More checks than anybody may begin in many years. */
const CHECKS_MAX = 1_000;

/**
 * Has the processor remove what its checks of a person's identity collected. They
 * are listed there: here only the ids of the last day are known. One that is
 * under way is waited for; one that was canceled can't be redacted by its API.
 *
 * @throws {ProcessorUncertain} while a check is under way, and when the processor
 * gives no definite answer
 */
export async function redactIdentity(
  { processor }: Pick<Services, "processor">,
  accountId: string,
): Promise<void> {
  const { items } = await readUpTo(
    CHECKS_MAX,
    (cursor, limit) => processor.listIdentitySessions(accountId, cursor, limit),
  );
  for (const { id, status, isRedacted } of items) {
    if (isRedacted || status === "canceled") continue;
    // Asked now, its no would be the answer to this key for a day.
    if (status === "processing") {
      throw new ProcessorUncertain("A check of identity is under way");
    }
    const key = `erasure:${id}`;
    const outcome = await processor.redactIdentitySession(id, key);
    if (outcome.ok) continue;
    throw new ProcessorUncertain(`The processor refused: ${outcome.code}`);
  }
}
