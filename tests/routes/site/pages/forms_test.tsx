import { assertStringIncludes } from "@std/assert";
import { Field, TextArea } from "../../../../routes/site/pages/forms.tsx";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";

Deno.test("a field whose characters are counted lets a browser type all that may be sent", () => {
  const field = String(<Field name="a" label="A" counted={60} required />);
  const area = String(
    <TextArea name="b" label="B" hint="" value="" error={null} counted={200} />,
  );
  for (const part of ['maxlength="120"', 'data-counted="60"', "required"]) {
    assertStringIncludes(field, part);
  }
  for (const part of ['maxlength="400"', 'data-counted="200"']) {
    assertStringIncludes(area, part);
  }
});

Deno.test("the form of an advertisement counts characters, and is previewed before it is whole", async () => {
  await using site = await openAdvertiserSite();
  const html = await (await (await site.browser("ada")).get("/creatives/new"))
    .text();
  for (
    const part of [
      'data-counted="60"',
      'data-counted="200"',
      "/scripts/counter.js?v=",
      "formnovalidate",
    ]
  ) assertStringIncludes(html, part);
});
