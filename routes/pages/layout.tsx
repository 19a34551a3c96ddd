import { type Child, createContext, useContext } from "@hono/hono/jsx";
import type { Html } from "./html.ts";
import { FONTS } from "./fonts.ts";
import { ICONS, MANIFEST_PATH } from "./icons.ts";
import { STYLE_PATH } from "./style.ts";
import { isDesk, navigationOf, type Viewer } from "./viewer.ts";

const ViewerContext = createContext<Viewer>({ visitor: "unknown", path: "" });

/** Scripts that a page loads because of how it was asked for. */
const ScriptsContext = createContext<readonly string[]>([]);

/** Whose the forms of a page are; null where anybody may send them. */
const FormOwnerContext = createContext<string | null>(null);

/** What differs from one showing of a page to another. */
export interface Showing {
  /** Scripts beside the page's own. */
  scripts?: readonly string[] | undefined;
  /** The account whose page it is; left out for a page that is nobody's. */
  formOwner?: string | undefined;
}

/** A page as a viewer sees it. */
export function forViewer(
  page: Child,
  viewer: Viewer,
  { scripts = [], formOwner }: Showing = {},
): Html {
  return (
    <ViewerContext.Provider value={viewer}>
      <ScriptsContext.Provider value={scripts}>
        <FormOwnerContext.Provider value={formOwner ?? null}>
          {page}
        </FormOwnerContext.Provider>
      </ScriptsContext.Provider>
    </ViewerContext.Provider>
  );
}

/** The account to which the page is shown that a form stands on; null for none. */
export function useFormOwner(): string | null {
  return useContext(FormOwnerContext);
}

/** A picture that stands for a page, beside links to it. */
export interface PageImage {
  /** Whole, since it is asked for from elsewhere. */
  url: string;
  alt: string;
  width: number;
  height: number;
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
  /** What chats and networks show beside a link to it. */
  image?: PageImage | null;
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
      <body class={isDesk(useContext(ViewerContext)) ? "desk" : undefined}>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <a class="wordmark" href="/">
            <Lamp />Spotlight
          </a>
          <Navigation />
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
      <link rel="icon" href={ICONS.favicon.path} sizes="32x32" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href={ICONS.touch.path} />
      <link rel="manifest" href={MANIFEST_PATH} />
      <meta
        name="theme-color"
        content="#fbf8f2"
        media="(prefers-color-scheme: light)"
      />
      <meta
        name="theme-color"
        content="#14110c"
        media="(prefers-color-scheme: dark)"
      />
      {canonicalUrl && <link rel="canonical" href={canonicalUrl} />}
      <Alternate type="application/json" href={props.jsonUrl} />
      <Alternate type="text/markdown" href={props.markdownUrl} />
      <Alternate type="application/atom+xml" href="/feed.xml" />
      <Alternate type="application/feed+json" href="/feed.json" />
      {props.image && <Card {...props} image={props.image} />}
      {props.jsonLd && <JsonLd data={props.jsonLd} />}
      {[...useContext(ScriptsContext), ...props.scripts ?? []]
        .map((path) => <Script path={path} />)}
    </head>
  );
}

/** The page as chats and networks show it (ogp.me). */
function Card(
  { title, description, canonicalUrl, image }: LayoutProps & {
    image: PageImage;
  },
) {
  const said: [string, string | undefined][] = [
    ["og:site_name", "Spotlight"],
    ["og:type", "website"],
    ["og:title", title],
    ["og:description", description],
    ["og:url", canonicalUrl],
    ["og:image", image.url],
    ["og:image:alt", image.alt],
    ["og:image:width", String(image.width)],
    ["og:image:height", String(image.height)],
  ];
  return (
    <>
      {said.map(([property, content]) =>
        content && <meta property={property} content={content} />
      )}
      <meta name="twitter:card" content="summary_large_image" />
    </>
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
  ["/spotlights", "Archive"],
  ["/how-the-auction-works", "How the auction works"],
  ["/advertise", "Advertise"],
  ["/developers", "Developers"],
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

/** Where the viewer can go, and where they are. */
function Navigation() {
  return (
    <nav aria-label="Site">
      <ul>
        {navigationOf(useContext(ViewerContext)).map((
          { href, name, current },
        ) => (
          <li>
            <a href={href} aria-current={current}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
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
