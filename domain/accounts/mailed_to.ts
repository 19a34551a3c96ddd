import { sha256Hex } from "../sha256.ts";
import type { Account } from "./account.ts";

/**
 * Names the address that a link is mailed to, under the link's signature: who
 * has left a mailbox leaves it no right over the account.
 */
export function mailedTo({ id, email }: Pick<Account, "id" | "email">): string {
  return sha256Hex(`${id}|${email}`);
}
