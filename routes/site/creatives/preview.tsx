import type { Copy } from "../../../domain/creatives/creative.ts";
import { readTargetUrl } from "../../../domain/creatives/target_url.ts";
import type { Html } from "../../pages/html.ts";
import { Stage } from "../ui/stage.tsx";

/**
 * An advertisement as readers will see it. Its button leads to the advertiser
 * directly, since no day has it yet; without an address it leads nowhere.
 */
export function Preview(
  { copy, advertiser, heading }: {
    copy: Copy;
    /** Empty before onboarding. */
    advertiser: string;
    heading: "h2" | "h3";
  },
): Html {
  const target = readTargetUrl(copy.targetUrl);
  return (
    <Stage
      contentType="paid_advertisement"
      headline={copy.headline || "Your headline"}
      description={copy.description || "Your description"}
      advertiser={advertiser || "your company"}
      heading={heading}
      link={{
        href: target.ok ? target.url : null,
        rel: "nofollow noopener noreferrer",
        host: target.ok ? new URL(target.url).host : "your page",
      }}
    />
  );
}
