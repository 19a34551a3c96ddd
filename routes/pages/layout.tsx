import { type Child, createContext, useContext } from "@hono/hono/jsx";
import type { Html } from "./html.ts";
import { STYLE_PATH } from "./style.ts";

/** Who looks at a page; `unknown` where nobody has asked. */
export type Visitor = "signed_in" | "signed_out" | "unknown";

const VisitorContext = createContext<Visitor>("unknown");

/** A page as a visitor sees it. */
export function forVisitor(page: Child, visitor: Visitor): Html {
  return (
    <VisitorContext.Provider value={visitor}>{page}</VisitorContext.Provider>
  );
}

/** What surrounds every page. */
export interface LayoutProps {
  title: string;
  /** The page's own address, where it has one. */
  canonicalUrl?: string;
  /** The same as JSON, where there is such. */
  jsonUrl?: string;
  /** The same as Markdown, where there is such. */
  markdownUrl?: string;
  /** What the page is about, in the words of schema.org. */
  jsonLd?: Readonly<Record<string, unknown>>;
  /** Scripts of our own, which the page works without. */
  scripts?: readonly string[];
  /** Where the browser goes on to by itself, at once. */
  refreshTo?: string;
  children?: Child;
}

/** The frame of every page: head, way home, main part, foot. */
export function Layout(props: LayoutProps): Html {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{props.title}</title>
        {props.refreshTo && (
          <meta http-equiv="refresh" content={`0; url=${props.refreshTo}`} />
        )}
        <link rel="stylesheet" href={STYLE_PATH} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {props.canonicalUrl && (
          <link rel="canonical" href={props.canonicalUrl} />
        )}
        {props.jsonUrl && (
          <link rel="alternate" type="application/json" href={props.jsonUrl} />
        )}
        {props.markdownUrl && (
          <link rel="alternate" type="text/markdown" href={props.markdownUrl} />
        )}
        {props.jsonLd && <JsonLd data={props.jsonLd} />}
        {props.scripts?.map((path) => <Script path={path} />)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <nav aria-label="Site">
            <a href="/">Spotlight</a>
            <a href="/spotlights">All days</a>
            <a href="/developers">Developers</a>
            <AccountLink />
          </nav>
        </header>
        <main id="main">{props.children}</main>
        <footer>
          <p>
            One advertisement a day, chosen by a sealed-bid auction. Every
            Spotlight is advertising, written by the advertiser.{" "}
            <a href="/how-the-auction-works">How the auction works</a>
          </p>
        </footer>
      </body>
    </html>
  );
}

function AccountLink() {
  return useContext(VisitorContext) === "signed_out"
    ? <a href="/sign-in">Sign in</a>
    : <a href="/account">Account</a>;
}

/** Data that no browser runs: the policy of pages allows no script. */
function JsonLd({ data }: { data: Readonly<Record<string, unknown>> }) {
  return (
    <script
      type="application/ld+json"
      dangerouslySetInnerHTML={{ __html: jsonForPage(data) }}
    />
  );
}

/** A component, since the key of an element would be written into the page. */
function Script({ path }: { path: string }) {
  return <script src={path} defer></script>;
}

/**
 * JSON that may stand in a page's script element: whatever an advertiser wrote
 * ends neither the element nor begins another.
 */
export function jsonForPage(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
