/**
 * Who looks at which page, and the navigation that they are shown on all of them.
 *
 * @module
 */

/** Who looks at a page; `unknown` where nobody has asked. */
export type Visitor = "operator" | "advertiser" | "signed_out" | "unknown";

/** A visitor, and the path that was asked for. */
export interface Viewer {
  visitor: Visitor;
  path: string;
}

/** One link of the navigation. */
export interface NavigationLink {
  href: string;
  name: string;
  /** Further places that belong to it. */
  also?: readonly string[];
}

const PUBLIC: readonly NavigationLink[] = [
  { href: "/", name: "Today" },
  { href: "/spotlights", name: "Archive" },
  { href: "/how-the-auction-works", name: "How the auction works" },
  { href: "/advertise", name: "Advertise" },
];

/** The navigation of each kind of visitor, the same on every page. */
const NAVIGATION: Readonly<Record<Visitor, readonly NavigationLink[]>> = {
  signed_out: [...PUBLIC, { href: "/sign-in", name: "Sign in" }],
  // Leads who is signed in on, and everybody else to sign in.
  unknown: [...PUBLIC, { href: "/account", name: "Sign in" }],
  advertiser: [
    { href: "/account", name: "Dashboard" },
    { href: "/bids", name: "Bids" },
    { href: "/creatives", name: "Ads" },
    { href: "/reports", name: "Reports" },
    { href: "/billing", name: "Cards" },
    { href: "/invoices", name: "Invoices" },
    { href: "/agents", name: "Agents" },
    {
      href: "/settings",
      name: "Settings",
      also: ["/onboarding", "/identity", "/partner"],
    },
  ],
  operator: [
    { href: "/operator", name: "Desk" },
    { href: "/operator/days", name: "Days" },
    { href: "/operator/review", name: "Review" },
    { href: "/operator/reports", name: "Reports" },
    { href: "/operator/accounts", name: "Accounts" },
    { href: "/operator/partners", name: "Partners" },
    { href: "/operator/house-ads", name: "House ads" },
    { href: "/operator/money", name: "Money" },
    { href: "/operator/jobs", name: "Jobs" },
    { href: "/operator/audit", name: "Audit", also: ["/operator/keys"] },
    { href: "/operator/hold", name: "Hold" },
    { href: "/settings", name: "Settings" },
  ],
};

/** A link, and whether it leads to the page that is shown, or to its section. */
export interface ShownLink extends NavigationLink {
  current: "page" | "true" | undefined;
}

/** The navigation as a viewer sees it; one link at most is current. */
export function navigationOf({ visitor, path }: Viewer): ShownLink[] {
  const links = NAVIGATION[visitor];
  const own = links.find(({ href }) => href === path) ??
    links.findLast(({ href, also = [] }) =>
      [href, ...also].some((place) => isWithin(place, path))
    );
  return links.map((link) => ({
    ...link,
    current: link !== own ? undefined : link.href === path ? "page" : "true",
  }));
}

/** Whether the page is one of the desk's, which have tables and so more room. */
export function isDesk({ visitor, path }: Viewer): boolean {
  return visitor === "operator" &&
    ["/operator", "/settings"].some((place) =>
      path === place || path.startsWith(`${place}/`)
    );
}

/** What two viewers share who see the same navigation. */
export function navigationKey(viewer: Viewer): string {
  const own = navigationOf(viewer).find(({ current }) => current !== undefined);
  return `${viewer.visitor} ${isDesk(viewer)} ${own?.current} ${own?.href}`;
}

function isWithin(place: string, path: string): boolean {
  // Everything lies below these two, which are pages and no sections.
  if (place === "/" || place === "/operator") return false;
  return path === place || path.startsWith(`${place}/`);
}
