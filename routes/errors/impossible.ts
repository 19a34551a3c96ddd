import { InvariantBroken } from "../../domain/invariant.ts";
import type { RefusalCode } from "../../domain/refusal.ts";

/**
 * Stops on a refusal that no operation of the surface can give: a bug, which
 * the caller sees as that surface's 500.
 */
export function impossible(surface: string, code: RefusalCode): never {
  throw new InvariantBroken(
    `Invariant broken: the ${surface} surface met the refusal "${code}"`,
  );
}
