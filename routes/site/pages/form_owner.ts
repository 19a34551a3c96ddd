import type { Account } from "../../../domain/accounts/account.ts";
import { refuse } from "../../../domain/refusal.ts";
import { isForm, readField } from "../../http/form_body.ts";
import type { RouteContext } from "../../route_table.ts";
import { FORM_OWNER } from "./forms.tsx";

/**
 * Refuses a form that was shown to another account: a browser has one session, and
 * a tab that was left open, or a form that was kept through another sign-in, would
 * do for whoever is signed in now what somebody else had typed. One that does not
 * say whose it is passes: no page of ours has such.
 *
 * @throws {Refused} `form_of_another`
 */
export async function refuseOthersForm(
  context: RouteContext,
  account: Account,
): Promise<void> {
  if (!isForm(context)) return;
  refuseOthers(await readField(context, FORM_OWNER), account);
}

/**
 * The same of what a script sends.
 *
 * @param shownTo the account that the page was shown to; null where it is not said
 * @throws {Refused} `form_of_another`
 */
export function refuseOthers(shownTo: string | null, { id }: Account): void {
  if (shownTo !== null && shownTo !== id) refuse({ code: "form_of_another" });
}
