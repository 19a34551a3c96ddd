import type { Child } from "@hono/hono/jsx";
import type { RouteContext } from "../context.ts";
import { textAnswer } from "../http/text_answer.ts";
import { forViewer, type Showing } from "./layout.tsx";
import { navigationKey, type Viewer } from "./viewer.ts";
import { respond, SharedText, withCookies } from "../http/respond.ts";
import { SharedTexts } from "../http/shared_texts.ts";

/** No script at all, and nothing from elsewhere. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** What keeps a page what it is, whatever stands in it. */
const PAGE_SECURITY: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  // Not "no-referrer", which would make the Origin of forms null.
  "referrer-policy": "strict-origin-when-cross-origin",
};

/** For a page that everybody sees alike and that has a script of ours. */
export const WITH_SCRIPTS: Readonly<Record<string, string>> = {
  "content-security-policy": `${CONTENT_SECURITY_POLICY}; script-src 'self'`,
};

/** The same for a page that is one person's, with forms or scripts of ours. */
export const PRIVATE_PAGE_SECURITY: Readonly<Record<string, string>> = {
  ...PAGE_SECURITY,
  "content-security-policy":
    `${CONTENT_SECURITY_POLICY}; script-src 'self'; connect-src 'self'`,
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

const HTML_TYPE = { "content-type": "text/html; charset=utf-8" };
const HTML = { ...HTML_TYPE, ...PAGE_SECURITY };

/** How an answer differs from the ordinary. */
export interface PageInit {
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

/** A page that never changes, written once for each navigation above it. */
export class SharedPage {
  readonly #page: Child;
  readonly #texts = new Map<string, SharedText>();

  constructor(page: Child) {
    this.#page = page;
  }

  /** Its text as a viewer sees it. */
  textFor(viewer: Viewer): SharedText {
    const key = navigationKey(viewer);
    const before = this.#texts.get(key);
    const text = before ?? new SharedText(bodyOf(this.#page, viewer));
    this.#texts.set(key, text);
    return text;
  }
}

/** Pages that change, each written once for a state of what they show. */
export class PublicPages {
  readonly #texts = new SharedTexts();

  /**
   * A page as everybody sees it who is not signed in; who is has it written for
   * them, whose visits are counted.
   *
   * @param state what the page shows, never changed once made
   * @param key names all else that it depends on but navigation and address
   */
  answer(
    context: RouteContext,
    { state, key, headers }: {
      state: object;
      key: string;
      headers?: Readonly<Record<string, string>>;
    },
    write: () => Child,
  ): Response | Promise<Response> {
    const viewer = viewerOf(context);
    if (isPersonal(viewer)) {
      return htmlAnswer(context, write(), { headers: headers ?? {} });
    }
    const text = this.#texts.of(
      state,
      JSON.stringify([navigationKey(viewer), key]),
      () => bodyOf(write(), viewer),
    );
    return textAnswer(context, text, { ...HTML, ...headers });
  }
}

/** Whether a page has the navigation of an account. */
function isPersonal({ visitor }: Viewer): boolean {
  return visitor === "advertiser" || visitor === "operator";
}

/** An HTML page for anyone, which nobody's secret is on. */
export function htmlAnswer(
  context: RouteContext,
  page: Child,
  init: PageInit = {},
): Response {
  const status = init.status ?? 200;
  const viewer = viewerOf(context);
  const body = bodyOf(page, viewer);
  if (status === 200) {
    const headers = { ...HTML, ...init.headers };
    return textAnswer(context, body, headers, {
      isPersonal: isPersonal(viewer),
    });
  }
  return respond(body, {
    status,
    headers: { ...HTML, "cache-control": "no-store", ...init.headers },
  });
}

/** The same for a page that never changes: nothing of a request is on it. */
export function sharedPageAnswer(
  context: RouteContext,
  page: SharedPage,
  headers: Readonly<Record<string, string>> = {},
): Response | Promise<Response> {
  const text = page.textFor(viewerOf(context));
  return textAnswer(context, text, { ...HTML, ...headers });
}

/**
 * An HTML page for one person, never kept. It may have forms, and scripts of
 * our own. Headers given replace those of every such page; `cookies` are
 * Set-Cookie headers.
 */
export function privateAnswer(
  context: RouteContext,
  page: Child,
  init: PageInit & Showing & { cookies?: readonly string[] } = {},
): Response {
  const answer = respond(bodyOf(page, viewerOf(context), init), {
    status: init.status ?? 200,
    headers: { ...HTML_TYPE, ...PRIVATE_PAGE_SECURITY, ...init.headers },
  });
  return withCookies(answer, init.cookies ?? []);
}

/** The text of a page as a viewer sees it. */
export function bodyOf(
  page: Child,
  viewer: Viewer,
  showing?: Showing,
): string {
  return `<!doctype html>\n${forViewer(page, viewer, showing)}\n`;
}

function viewerOf(context: RouteContext): Viewer {
  const known = context.get("viewer") as Viewer | undefined;
  return known ?? { visitor: "unknown", path: context.req.path };
}
