import type { Child } from "@hono/hono/jsx";
import type { Html } from "./html.ts";
import { STYLE_PATH } from "./style.ts";

/** What surrounds every page. */
export interface LayoutProps {
  title: string;
  /** The page's own address, where it has one. */
  canonicalUrl?: string;
  /** The same as JSON, where there is such. */
  jsonUrl?: string;
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
        <link rel="stylesheet" href={STYLE_PATH} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {props.canonicalUrl && (
          <link rel="canonical" href={props.canonicalUrl} />
        )}
        {props.jsonUrl && (
          <link rel="alternate" type="application/json" href={props.jsonUrl} />
        )}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <nav aria-label="Site">
            <a href="/">Spotlight</a>
            <a href="/spotlights">All days</a>
            <a href="/developers.md">Developers</a>
          </nav>
        </header>
        <main id="main">{props.children}</main>
        <footer>
          <p>
            One advertisement a day, chosen by a sealed-bid auction. Every
            Spotlight is advertising, written by the advertiser.
          </p>
        </footer>
      </body>
    </html>
  );
}
