/**
 * `deno run -A tools/copy_webauthn_script.ts`: copies the browser's part of
 * WebAuthn and its licence out of the pinned package, whose exports leave the
 * bundle out. To be run when the pin changes; a test compares the copies.
 *
 * @module
 */
import { ROOT } from "./own_modules.ts";

const COPIES: Readonly<Record<string, string>> = {
  "dist/bundle/index.umd.min.js": "simplewebauthn_browser.js",
  "LICENSE.md": "simplewebauthn_license.md",
};

if (import.meta.main) {
  const folder = new URL(
    "../",
    import.meta.resolve("@simplewebauthn/browser"),
  );
  for (const [original, copy] of Object.entries(COPIES)) {
    const target = `${ROOT}routes/site/scripts/vendor/${copy}`;
    await Deno.copyFile(new URL(original, folder), target);
  }
}
