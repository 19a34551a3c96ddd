/**
 * A browser without scripts, for hosted pages: it fills in the form a page
 * shows and follows nothing by itself.
 *
 * @module
 */

/** What a page says and where it sends the visitor. */
export interface Visit {
  status: number;
  title: string;
  alert: string | null;
  /** Links by their text. */
  links: Record<string, string>;
  /** Where the browser is sent on to. */
  location: string | null;
  html: string;
  headers: Headers;
}

/** Opens a page. */
export async function visit(url: string): Promise<Visit> {
  return await read(await fetch(url, { redirect: "manual" }));
}

/** Sends the page's form to its own address. */
export async function submit(
  url: string,
  fields: Record<string, string>,
): Promise<Visit> {
  const body = new URLSearchParams(fields);
  return await read(
    await fetch(url, { method: "POST", body, redirect: "manual" }),
  );
}

async function read(response: Response): Promise<Visit> {
  const html = await response.text();
  const links = html.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g);
  return {
    status: response.status,
    title: /<h1>([^<]*)<\/h1>/.exec(html)?.[1] ?? "",
    alert: /<p role="alert">([^<]*)<\/p>/.exec(html)?.[1] ?? null,
    links: Object.fromEntries([...links].map(([, to, text]) => [text, to])),
    location: response.headers.get("location"),
    html,
    headers: response.headers,
  };
}
