/** Where a sign-in leads that was not asked for by another page. */
export const DEFAULT_NEXT = "/account";
/** Longest way back after a sign-in. */
export const NEXT_MAX = 1_024;

/** Any host will do: it only shows whether a path leaves it. */
const SOMEWHERE = "https://next.invalid";

/**
 * The path to go on to after a sign-in, as a browser would read it; the
 * account's page for anything but a path of our own. Backslashes and control
 * characters are refused, since browsers read them as slashes or skip them;
 * the way to sign in is, since it would lead in a circle.
 */
export function nextPath(wanted: string | null | undefined): string {
  if (typeof wanted !== "string" || wanted.length > NEXT_MAX) {
    return DEFAULT_NEXT;
  }
  // deno-lint-ignore no-control-regex -- they are what is looked for
  if (!/^\/(?!\/)[^\\\u0000-\u0020\u007f]*$/.test(wanted)) return DEFAULT_NEXT;
  const url = URL.parse(wanted, SOMEWHERE);
  if (url === null || url.origin !== SOMEWHERE) return DEFAULT_NEXT;
  const path = `${url.pathname}${url.search}`;
  const isOwn = !path.startsWith("//") && path.length <= NEXT_MAX;
  return isOwn && !/^\/sign-in(?:[/?]|$)/.test(path) ? path : DEFAULT_NEXT;
}

/** The address of the sign-in page that leads back to a path. */
export function signInPath(next: string): string {
  const safe = nextPath(next);
  return safe === DEFAULT_NEXT
    ? "/sign-in"
    : `/sign-in?next=${encodeURIComponent(safe)}`;
}
