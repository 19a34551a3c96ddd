import type { Copy } from "../../../domain/creatives/creative.ts";
import { readTargetUrl } from "../../../domain/creatives/target_url.ts";
import { LABELS } from "../pages/advertisement.tsx";
import type { Html } from "../../pages/html.ts";

/**
 * An advertisement as readers will see it. Its link leads to the advertiser
 * directly, since no day has it yet; without an address there is none.
 */
export function Preview(
  { copy, advertiser, heading: Heading }: {
    copy: Copy;
    /** Empty before onboarding. */
    advertiser: string;
    heading: "h2" | "h3";
  },
): Html {
  const target = readTargetUrl(copy.targetUrl);
  return (
    <article class="preview">
      <p class="label">{LABELS.paid_advertisement}</p>
      <Heading dir="auto" data-preview="headline">
        {copy.headline || "Your headline"}
      </Heading>
      <p class="copy" dir="auto" data-preview="description">
        {copy.description || "Your description"}
      </p>
      <p>
        {target.ok
          ? (
            <a href={target.url} rel="nofollow noopener noreferrer">
              Visit the advertiser
            </a>
          )
          : "Visit the advertiser"}{" "}
        <span class="quiet">
          at{" "}
          <span data-preview="host">
            {target.ok ? new URL(target.url).host : "your page"}
          </span>
        </span>
      </p>
      <p class="quiet">
        From <bdi>{advertiser || "your company"}</bdi>
      </p>
    </article>
  );
}
