/**
 * How a browser gets from our page to the agent's own address.
 *
 * @module
 */
import type { PageRequest } from "../pages/advertiser_page.ts";
import { nameableOrigin } from "../pages/form_action.ts";
import type { Html } from "../../pages/html.ts";
import { Page } from "../pages/page.tsx";

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
  way: WayBack,
): Response {
  if (way.viaPage) return show(<OnwardPage {...way} />);
  const headers = { location: way.redirectTo, "cache-control": "no-store" };
  return new Response(null, { status: 303, headers });
}

/** Goes on by itself, without a script; a link is there for whoever waits. */
function OnwardPage({ redirectTo, host }: WayBack): Html {
  return (
    <Page title="Going back to the agent" refreshTo={redirectTo}>
      <p>
        If nothing happens, continue to <bdi>{host}</bdi>{" "}
        yourself. You can close this page once the agent says it is connected.
      </p>
      <p>
        <a class="button" href={redirectTo} rel="noreferrer">Continue</a>
      </p>
    </Page>
  );
}
