import { assertEquals } from "@std/assert";
import {
  headingSlug,
  HeadingSlugs,
} from "../../../domain/retrieval/heading_slug.ts";

Deno.test("headingSlug() drops case and punctuation and joins words by hyphens", () => {
  for (
    const [heading, slug] of [
      ["Scopes", "scopes"],
      ["1. Discover", "1-discover"],
      ["3. Claim: the user's consent", "3-claim-the-users-consent"],
      ["Buy click figures over HTTP 402", "buy-click-figures-over-http-402"],
      ["`max_bid_cents` & more", "max_bid_cents--more"],
      ["  Übergröße – É  ", "übergröße--é"],
      ["e\u0301tat", "état"],
    ] as const
  ) assertEquals(headingSlug(heading), slug);
});

Deno.test("HeadingSlugs numbers headings that read alike", () => {
  const slugs = new HeadingSlugs();
  const given = ["Contact", "Contact", "contact", "Contact 1", "Other"]
    .map((heading) => slugs.next(heading));
  assertEquals(given, [
    "contact",
    "contact-1",
    "contact-2",
    "contact-1-1",
    "other",
  ]);
});
