/** Text as XML, without what XML 1.0 has no character for. */
export function xml(text: string): string {
  return text
    // deno-lint-ignore no-control-regex -- these are what XML can't hold
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .toWellFormed()
    .replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
