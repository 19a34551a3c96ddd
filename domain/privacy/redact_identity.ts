import { readUpTo } from "../payments/read_up_to.ts";
import type { Services } from "../ports.ts";
import { eachInTurn } from "./each_in_turn.ts";
import { KeptThere } from "./kept_there.ts";

/** More checks than anybody may begin in many years. */
const CHECKS_MAX = 1_000;

/**
 * Has the processor remove what its checks of a person's identity collected. They
 * are listed there: here only the ids of the last day are known. One that is
 * under way is waited for, which keeps none of the others; one that was canceled
 * can't be redacted by its API.
 *
 * @throws {ProcessorUncertain} while a check is under way, and when the processor
 * refuses or gives no definite answer
 */
export async function redactIdentity(
  { processor }: Pick<Services, "processor">,
  accountId: string,
): Promise<void> {
  const { items } = await readUpTo(
    CHECKS_MAX,
    (cursor, limit) => processor.listIdentitySessions(accountId, cursor, limit),
  );
  await eachInTurn(items, async ({ id, status, isRedacted }) => {
    if (isRedacted || status === "canceled") return;
    // Asked now, its no would be the answer to this key for a day.
    if (status === "processing") throw new KeptThere("under_way");
    const key = `erasure:${id}`;
    const outcome = await processor.redactIdentitySession(id, key);
    if (!outcome.ok) throw new KeptThere(outcome.code);
  });
}
