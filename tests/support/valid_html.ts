import { HtmlValidate } from "html-validate";

/**
 * What pages are held to: all that html-validate recommends, but for how things
 * are written that the standard leaves open (our templates write `<input/>` and
 * `required=""`), and for hashes of files that come from the page's own host.
 */
const VALIDATOR = new HtmlValidate({
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    "void-style": "off",
    "require-sri": "off",
    // Boxes to tick are a list by their shared name.
    "form-dup-name": [
      "error",
      { shared: ["checkbox", "radio", "button", "reset", "submit"] },
    ],
    // Of a day it is the advertiser's headline and the day.
    "long-title": "off",
    // Headings of documents may begin with a number.
    "valid-id": ["error", { relaxed: true }],
  },
});

/** What is wrong with the HTML of a page, each with its line. */
export async function htmlFaultsOf(html: string): Promise<string[]> {
  const { results } = await VALIDATOR.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) =>
      `${ruleId}: ${message} (${line}:${column}) ${
        (html.split("\n")[line - 1] ?? "").slice(
          Math.max(0, column - 60),
          column + 60,
        )
      }`
    )
  );
}
