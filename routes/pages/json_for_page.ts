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
