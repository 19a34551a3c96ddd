import { TEST_BASE_URL } from "./public_spotlights.ts";
import type { SiteApp } from "./site_app.ts";

/** What a browser may be told to do otherwise. */
export interface BrowserRequest {
  method?: string;
  headers?: Record<string, string | null>;
  /** A form, or JSON where it has `json`. */
  form?: Readonly<Record<string, string>>;
  json?: unknown;
  from?: string;
}

/** A browser without a screen: it keeps cookies and sends its Origin. */
export class TestBrowser {
  readonly #site: SiteApp;
  readonly cookies = new Map<string, string>();

  constructor(site: SiteApp) {
    this.#site = site;
  }

  /** The Cookie header it would send. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`)
      .join("; ");
  }

  /** Asks for a page. */
  get(path: string, request: BrowserRequest = {}): Promise<Response> {
    return this.#send(path, { method: "GET", ...request });
  }

  /** Sends a form. */
  post(
    path: string,
    form: Readonly<Record<string, string>> = {},
    request: BrowserRequest = {},
  ): Promise<Response> {
    return this.#send(path, { method: "POST", form, ...request });
  }

  /** Sends JSON, as a script of our pages does. */
  send(
    path: string,
    json: unknown,
    request: BrowserRequest = {},
  ): Promise<Response> {
    return this.#send(path, { method: "POST", json, ...request });
  }

  async #send(path: string, request: BrowserRequest): Promise<Response> {
    const { method = "GET", form, json, from } = request;
    const headers = new Headers({ accept: "text/html" });
    if (method !== "GET") headers.set("origin", TEST_BASE_URL);
    if (this.cookie !== "") headers.set("cookie", this.cookie);
    const body = json === undefined
      ? form && new URLSearchParams(form).toString()
      : JSON.stringify(json);
    if (body !== undefined) {
      headers.set(
        "content-type",
        json === undefined
          ? "application/x-www-form-urlencoded"
          : "application/json",
      );
    }
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    const answer = await this.#site.ask(path, {
      method,
      headers,
      ...body !== undefined && { body },
      ...from !== undefined && { from },
    });
    this.#keep(answer);
    return answer;
  }

  #keep(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split("; ");
      const at = pair.indexOf("=");
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (line.includes("Max-Age=0")) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** The code in the newest mail to an address. */
export async function mailedCode(
  { test }: SiteApp,
  email: string,
): Promise<string> {
  const mails = await test.store.listMails({ limit: 100, reverse: true });
  const mail = mails.find(({ to, text }) =>
    to === email && text.includes("#c=")
  );
  const code = /#c=(\d{8})/.exec(mail?.text ?? "")?.[1];
  if (code === undefined) throw new Error(`No code was mailed to ${email}`);
  return code;
}

/** A browser in which the owner of an address has signed in by mail. */
export async function signedInBrowser(
  site: SiteApp,
  email = "ada@example.com",
  next = "/account",
): Promise<TestBrowser> {
  const browser = new TestBrowser(site);
  await signIn(site, browser, email, next);
  return browser;
}

/** Signs in by mail; answers the last answer. */
export async function signIn(
  site: SiteApp,
  browser: TestBrowser,
  email = "ada@example.com",
  next = "/account",
): Promise<Response> {
  const asked = await browser.post("/sign-in", { email, next });
  if (asked.status !== 303) throw new Error(`/sign-in: ${asked.status}`);
  const code = await mailedCode(site, email);
  const answer = await browser.post("/sign-in/verify", { code });
  if (answer.status !== 303) throw new Error(`verify: ${answer.status}`);
  return answer;
}
