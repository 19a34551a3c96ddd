/**
 * How a browser gets from our page to the agent's own address.
 *
 * @module
 */
import type { PageRequest } from "../pages/advertiser_page.ts";
import { nameableOrigin } from "../pages/form_action.ts";
import { OnwardPage } from "../pages/page.tsx";
import { seeElsewhere } from "../../middleware/session.ts";

/** Where a browser goes to, and how. */
export interface WayBack {
  /** The agent's address with the response; never logged. */
  redirectTo: string;
  /** The host as it is shown. */
  host: string;
  /** By way of a page, which no form's policy reaches beyond. */
  viaPage: boolean;
}

/**
 * Hosts that hand over to a program by an address of its own (`vscode:`),
 * which browsers refuse at the end of a form's way.
 */
const PASSING_ON: readonly string[] = [
  "https://vscode.dev",
  "https://insiders.vscode.dev",
  "https://oauth.pstmn.io",
];

/** Whether the way to an origin has to lead over a page. */
export function needsPage(origin: string): boolean {
  return nameableOrigin(origin) === null || PASSING_ON.includes(origin);
}

/** 303 to the agent, or a page that goes there by itself. */
export function wayBack(
  { show }: Pick<PageRequest, "show">,
  { redirectTo, host, viaPage }: WayBack,
): Response {
  if (!viaPage) return seeElsewhere(redirectTo);
  return show(
    <OnwardPage title="Going back to the agent" url={redirectTo}>
      If nothing happens, continue to <bdi>{host}</bdi>{" "}
      yourself. You can close this page once the agent says it is connected.
    </OnwardPage>,
  );
}
