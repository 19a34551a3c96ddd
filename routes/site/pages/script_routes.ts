import type { Route } from "../../route_table.ts";
import counter from "../scripts/counter.js" with { type: "text" };
import countdown from "../scripts/countdown.js" with { type: "text" };
import creativePreview from "../scripts/creative_preview.js" with {
  type: "text",
};
import deskKeys from "../scripts/desk_keys.js" with { type: "text" };
import formAnswer from "../scripts/form_answer.js" with { type: "text" };
import documents from "../scripts/documents.js" with { type: "text" };
import passkeys from "../scripts/passkeys.js" with { type: "text" };
import signInCode from "../scripts/sign_in_code.js" with { type: "text" };
import webauthn from "../scripts/vendor/simplewebauthn_browser.js" with {
  type: "text",
};
import license from "../scripts/vendor/simplewebauthn_license.md" with {
  type: "text",
};
import { versionedAsset } from "../../assets.ts";
import { type Versioned, versioned } from "../../pages/versioned.ts";

/** A script of ours and where pages find it. */
interface Script {
  text: string;
  /** Changes with the script, so that it may be kept for a year. */
  path: Versioned;
}

/** With the library that it uses, under the license of that. */
const PASSKEYS = script(
  "passkeys",
  `/*\n${license}*/\n${webauthn}\n${passkeys}`,
);
const SIGN_IN_CODE = script("sign_in_code", signInCode);
const PREVIEW = script("creative_preview", creativePreview);
const COUNTDOWN = script("countdown", countdown);
const COUNTER = script("counter", counter);
const DESK_KEYS = script("desk_keys", deskKeys);
const FORM_ANSWER = script("form_answer", formAnswer);
const DOCUMENTS = script("documents", documents);

/** What a page with passkeys loads. */
export const PASSKEY_SCRIPTS: readonly string[] = [PASSKEYS.path];
/** What the page for the code loads. */
export const CODE_SCRIPTS: readonly string[] = [SIGN_IN_CODE.path];
/** What the form of an advertisement loads. */
export const PREVIEW_SCRIPTS: readonly string[] = [PREVIEW.path];
/** What a form loads whose texts have a limit. */
export const COUNTER_SCRIPTS: readonly string[] = [COUNTER.path];
/** What the review queue loads, and the pages of its ads. */
export const DESK_SCRIPTS: readonly string[] = [DESK_KEYS.path];
/** What a page loads that answers a form. */
export const FORM_ANSWER_SCRIPTS: readonly string[] = [FORM_ANSWER.path];
/** What the page of a document loads. */
export const DOCUMENT_SCRIPTS: readonly string[] = [DOCUMENTS.path];
/** What a page loads that says how long something lasts. */
export const COUNTDOWN_SCRIPTS: readonly string[] = [COUNTDOWN.path];

/** The scripts of pages: all are ours to serve, none comes from elsewhere. */
export function scriptRoutes(): Route[] {
  const scripts = [
    PASSKEYS,
    SIGN_IN_CODE,
    PREVIEW,
    COUNTDOWN,
    COUNTER,
    DESK_KEYS,
    FORM_ANSWER,
    DOCUMENTS,
  ];
  return scripts.map(({ path, text }) =>
    versionedAsset(path, "text/javascript; charset=utf-8", text)
  );
}

function script(name: string, text: string): Script {
  return { text, path: versioned(`/scripts/${name}.js`, text) };
}
