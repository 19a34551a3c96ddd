import { type Child, createContext, useContext } from "@hono/hono/jsx";
import type { Html } from "./html.ts";
import { FONTS } from "./fonts.ts";
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
  /** What search engines and chats show under the title. */
  description?: string;
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
      <Head {...props} />
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <nav aria-label="Site">
            <a class="wordmark" href="/">
              <Lamp />Spotlight
            </a>
            <a href="/spotlights">All days</a>
            <a href="/advertise">Advertise</a>
            <a href="/developers">Developers</a>
            <AccountLink />
          </nav>
        </header>
        <main id="main">{props.children}</main>
        <Foot />
      </body>
    </html>
  );
}

function Head(props: LayoutProps) {
  const { title, description, refreshTo, canonicalUrl } = props;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      {refreshTo && (
        <meta http-equiv="refresh" content={`0; url=${refreshTo}`} />
      )}
      {description && <meta name="description" content={description} />}
      <link rel="stylesheet" href={STYLE_PATH} />
      <link
        rel="preload"
        href={FONTS.latin.path}
        as="font"
        type="font/woff2"
        crossorigin="anonymous"
      />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      {canonicalUrl && <link rel="canonical" href={canonicalUrl} />}
      <Alternate type="application/json" href={props.jsonUrl} />
      <Alternate type="text/markdown" href={props.markdownUrl} />
      <Alternate type="application/atom+xml" href="/feed.xml" />
      <Alternate type="application/feed+json" href="/feed.json" />
      {props.jsonLd && <JsonLd data={props.jsonLd} />}
      {props.scripts?.map((path) => <Script path={path} />)}
    </head>
  );
}

function Alternate({ type, href }: { type: string; href: string | undefined }) {
  return href === undefined
    ? null
    : <link rel="alternate" type={type} href={href} />;
}

function Foot() {
  return (
    <footer>
      <p>
        One advertisement a day, chosen by a sealed-bid auction. Every Spotlight
        is advertising, written by the advertiser.
      </p>
      <ul>
        {FOOT.map(([path, name]) => (
          <li>
            <a href={path}>{name}</a>
          </li>
        ))}
      </ul>
    </footer>
  );
}

const FOOT = [
  ["/how-the-auction-works", "How the auction works"],
  ["/terms", "Terms"],
  ["/privacy", "Privacy"],
  ["/imprint", "Imprint"],
] as const;

/** The sign of the service, as in its icon. */
function Lamp() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#14110c" />
      <path d="M13 9h6l8 16H5z" fill="#ffb43a" />
      <circle cx="16" cy="8" r="4" fill="#fffdf8" />
    </svg>
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
