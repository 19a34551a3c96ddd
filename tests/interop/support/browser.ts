import { assertEquals } from "@std/assert";
import {
  fillForm,
  type FormChanges,
  readForm,
  refreshTarget,
} from "./html_form.ts";
import type { SecretBook } from "../../support/secret_book.ts";

/** Redirects one after the other before a browser gives up. */
const REDIRECTS_MAX = 20;

/** A page of the service, or the address at which the browser left it. */
export type Visit =
  | { left: false; url: URL; html: string; policy: string }
  | { left: true; url: URL };

/** A step of the browser's. */
interface Step {
  url: URL;
  init: RequestInit;
  /** The page whose form is sent, with its policy. */
  from: { url: URL; policy: string } | null;
}

/**
 * A browser without a window: it keeps cookies by host name whatever the port,
 * sends the Origin of its forms and holds pages to their `form-action`.
 */
export class Browser {
  readonly #book: SecretBook;
  readonly #origins: ReadonlySet<string>;
  readonly #jar = new Map<string, Map<string, string>>();

  /** `origins` are the service's own: whatever leads elsewhere leaves it. */
  constructor(book: SecretBook, origins: readonly string[]) {
    this.#book = book;
    this.#origins = new Set(origins);
  }

  /** Opens an address as if another site had led to it. */
  visit(url: URL): Promise<Visit> {
    return this.#go({ url, init: {}, from: null });
  }

  /** Fills the form of a page that is sent to the path, and sends it. */
  submit(page: Visit, path: string, changes: FormChanges): Promise<Visit> {
    if (page.left) throw new Error(`${page.url.origin} has no form of ours`);
    const form = fillForm(readForm(page.html, path), changes);
    const body = new URLSearchParams([...form] as [string, string][]);
    const init = { method: "POST", body, headers: { origin: page.url.origin } };
    return this.#go({ url: new URL(path, page.url), init, from: page });
  }

  async #go(step: Step): Promise<Visit> {
    let { url, init } = step;
    for (let redirects = 0; redirects < REDIRECTS_MAX; redirects++) {
      if (step.from !== null) assertFormMayLeadTo(step.from, url);
      if (!this.#origins.has(url.origin)) return { left: true, url };
      const response = await this.#ask(url, init, step.from?.url ?? null);
      const location = response.headers.get("location");
      if (location === null) return await this.#pageOf(response, url);
      await response.body?.cancel();
      // A 307 would send the form, with what is in it, to the next address.
      assertEquals(response.status, 303);
      url = new URL(location, url);
      init = {};
    }
    throw new Error(`Too many redirects, the last to ${url}`);
  }

  async #pageOf(response: Response, url: URL): Promise<Visit> {
    const html = await response.text();
    if (!response.ok) {
      throw new Error(`${url.pathname} answered ${response.status}: ${html}`);
    }
    const target = refreshTarget(html);
    if (target !== null) return await this.visit(new URL(target, url));
    const policy = response.headers.get("content-security-policy") ?? "";
    return { left: false, url, html, policy };
  }

  async #ask(
    url: URL,
    init: RequestInit,
    initiator: URL | null,
  ): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("accept", "text/html");
    headers.set("user-agent", "Spotlight interop tests");
    headers.set("sec-fetch-mode", "navigate");
    headers.set("sec-fetch-dest", "document");
    headers.set(
      "sec-fetch-site",
      initiator?.origin === url.origin ? "same-origin" : "cross-site",
    );
    const jar = this.#jar.get(url.hostname) ?? new Map<string, string>();
    if (jar.size > 0) {
      const pairs = [...jar].map(([name, value]) => `${name}=${value}`);
      headers.set("cookie", pairs.join("; "));
    }
    const response = await this.#book.fetch(url, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) keep(jar, cookie);
    this.#jar.set(url.hostname, jar);
    return response;
  }
}

function keep(jar: Map<string, string>, cookie: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  if (/; Max-Age=0\b/i.test(cookie)) jar.delete(name);
  else jar.set(name, value);
}

/** Browsers apply `form-action` to where a form's answer leads as well. */
function assertFormMayLeadTo(
  { url, policy }: { url: URL; policy: string },
  target: URL,
): void {
  const allowed = /(?:^|;)\s*form-action ([^;]*)/.exec(policy)?.[1];
  const sources = allowed?.split(/\s+/) ?? [];
  const mayLead = sources.some((source) =>
    source === "'self'"
      ? target.origin === url.origin
      : source === target.origin
  );
  if (!mayLead) {
    throw new Error(`form-action of ${url.pathname} stops ${target.origin}`);
  }
}
