import type { ContentType } from "../../../domain/spotlights/spotlight.ts";
import type { Html } from "../../pages/html.ts";

/** Where readers learn how to advertise. */
export const ADVERTISE_PAGE = "/advertise";

/** What a page shows of a Spotlight. */
export interface Advertisement {
  day: string;
  headline: string;
  description: string;
  advertiser: string;
  contentType: ContentType;
  targetUrl: string;
}

/** What each kind of advertisement is called, in full, above it. */
export const LABELS: Readonly<Record<ContentType, string>> = {
  paid_advertisement: "Paid advertisement",
  house_advertisement: "House advertisement",
};

/** Who pays, as it is said below an advertisement, before the name. */
export const PAYERS: Readonly<Record<ContentType, string>> = {
  paid_advertisement: "Paid for by ",
  house_advertisement: "From ",
};

/** Where the button of an advertisement leads, and what it says. */
export interface StageLink {
  /** Null where it leads nowhere yet. */
  href: string | null;
  rel?: string;
  /** The advertiser's host; null for a house advertisement. */
  host: string | null;
}

/** What stands on the stage. */
export interface StageProps {
  contentType: ContentType;
  headline: string;
  description: string;
  advertiser: string;
  /** Null where it has no address to lead to. */
  link: StageLink | null;
  heading: "h1" | "h2" | "h3";
}

/**
 * The one way in which an advertisement is shown: to readers, and to who writes,
 * reviews or bids with it. The advertiser's text is shown as text and nothing
 * else; scripts find its parts by `data-preview`.
 */
export function Stage(props: StageProps): Html {
  const { contentType, headline, description, advertiser, link } = props;
  const { heading: Heading } = props;
  return (
    <article class="stage">
      <p class="label">{LABELS[contentType]}</p>
      <Heading class="headline" dir="auto" data-preview="headline">
        {headline}
      </Heading>
      <p class="copy" dir="auto" data-preview="description">{description}</p>
      <p class="payer">
        {PAYERS[contentType]}
        <bdi>{advertiser}</bdi>
      </p>
      {link && <StageButton {...link} />}
    </article>
  );
}

/** The host is named, so that readers know where they will be. */
function StageButton({ href, rel, host }: StageLink) {
  const says = host === null ? "Put your ad here" : (
    <>
      Visit <bdi data-preview="host">{host}</bdi>
    </>
  );
  return (
    <p>
      {href === null
        ? <span class="button lit">{says}</span>
        : <a class="button lit" href={href} rel={rel}>{says}</a>}
    </p>
  );
}

/** A day's advertisement, with a link that is counted and leads on. */
export function SpotlightStage(
  { ad, heading }: { ad: Advertisement; heading: StageProps["heading"] },
): Html {
  return <Stage {...ad} link={linkOf(ad)} heading={heading} />;
}

function linkOf({ day, contentType, targetUrl }: Advertisement) {
  if (contentType === "house_advertisement") {
    return { href: ADVERTISE_PAGE, host: null };
  }
  const target = URL.canParse(targetUrl) ? new URL(targetUrl) : null;
  if (target?.protocol !== "https:") return null;
  const rel = "sponsored nofollow noopener";
  return { href: `/go/${day}`, rel, host: target.host };
}
