import { assert, assertEquals } from "@std/assert";
import type { Scope } from "../../../domain/oauth/grant.ts";
import type { Browser, Visit } from "./browser.ts";
import type { SecretBook } from "../../support/secret_book.ts";

/** What a person answers on the consent page. */
export interface ConsentAnswer {
  decision?: "allow" | "deny";
  /** The boxes that stay ticked; all that are offered when left out. */
  scopes?: readonly Scope[];
  mandate?: Mandate;
}

/** What is typed into the spending limits. */
export interface Mandate {
  maxBidEuros: string;
  dailyCapEuros: string;
  /** Until the end, in all; no such limit when left out. */
  totalEuros?: string;
  /** YYYY-MM-DD */
  lastDay: string;
}

/** Reads what was mailed to an address. */
export type ReadMail = (email: string) => Promise<string>;

/** What a person has besides the browser. */
export interface Belongings {
  book: SecretBook;
  browser: Browser;
  /** The website's address. */
  baseUrl: string;
  email: string;
  readMail: ReadMail;
}

/** A person who signs in by mailed code and answers the consent page. */
export class User {
  readonly #has: Belongings;

  constructor(belongings: Belongings) {
    this.#has = belongings;
    belongings.book.add("e-mail address", belongings.email);
  }

  /**
   * Goes where an agent sends them, signs in when asked to, answers, and is
   * sent back to the agent. Answers the address it was called at; a program on
   * this machine is really called.
   */
  async authorize(url: string | URL, answer: ConsentAnswer = {}): Promise<URL> {
    let page = await this.#has.browser.visit(new URL(url));
    if (isAt(page, "/sign-in")) page = await this.#signIn(page);
    if (!page.left) page = await this.#consent(page, answer);
    assert(page.left, `The consent leads to ${page.url.pathname}`);
    if (page.url.protocol === "http:") await call(page.url);
    return page.url;
  }

  /** Revokes the one agent that is connected. */
  async revokeAgent(): Promise<void> {
    const { baseUrl, browser } = this.#has;
    const page = await browser.visit(new URL("/agents", baseUrl));
    assert(!page.left);
    const [path = ""] = /\/agents\/[^/"]+\/revoke/.exec(page.html) ?? [];
    const after = await browser.submit(page, path, {});
    assert(isAt(after, "/agents"));
  }

  /** Changes what the one agent that is connected may do. */
  async changeAgent(scopes: readonly Scope[]): Promise<void> {
    const { baseUrl, browser } = this.#has;
    const list = await browser.visit(new URL("/agents", baseUrl));
    assert(!list.left);
    const [, path = ""] = /href="(\/agents\/[^/"]+)"/.exec(list.html) ?? [];
    const page = await browser.visit(new URL(path, baseUrl));
    const after = await browser.submit(page, path, {
      scope: scopes,
      choice: ["company", "advertisements", "figures"],
    });
    assert(isAt(after, "/agents"));
  }

  async #signIn(page: Visit): Promise<Visit> {
    const { browser, email, readMail, book } = this.#has;
    const asked = await browser.submit(page, "/sign-in", { email });
    assert(isAt(asked, "/sign-in/verify"), `${email} is asked for the code`);
    const text = await readMail(email);
    const [, first = "", second = ""] = /(\d{4}) (\d{4})/.exec(text) ?? [];
    book.add("e-mail code", `${first} ${second}`);
    const code = `${first}${second}`;
    return await browser.submit(asked, "/sign-in/verify", { code });
  }

  #consent(page: Visit, answer: ConsentAnswer): Promise<Visit> {
    const { pathname } = page.url;
    assertEquals(pathname.slice(0, 9), "/connect/");
    const { decision = "allow", scopes, mandate } = answer;
    return this.#has.browser.submit(page, pathname, {
      decision,
      ...scopes && { scope: scopes },
      ...mandate && {
        max_bid: mandate.maxBidEuros,
        daily_cap: mandate.dailyCapEuros,
        total_cap: mandate.totalEuros ?? "",
        valid_until: mandate.lastDay,
      },
    });
  }
}

function isAt(page: Visit, path: string): boolean {
  return !page.left && page.url.pathname === path;
}

async function call(url: URL): Promise<void> {
  const response = await fetch(url);
  await response.body?.cancel();
  assertEquals(response.status, 200);
}
