import type { HouseAd } from "../../../domain/creatives/creative.ts";
import type { HouseCopy } from "../../../domain/creatives/change_house_ads.ts";
import { BUILT_IN_HOUSE_AD } from "../../../domain/creatives/house_rotation.ts";
import { DESCRIPTION, HEADLINE } from "../../../domain/creatives/read_copy.ts";
import type { Html } from "../../pages/html.ts";
import { Button, faultsOf, Field, Form, TextArea } from "../pages/forms.tsx";
import { Page } from "../pages/page.tsx";
import { COUNTER_SCRIPTS } from "../pages/script_routes.ts";
import { ADVERTISE_PAGE, Stage } from "../ui/stage.tsx";
import { HOUSE_ADS_PATH, houseAdPath } from "./paths.ts";

/** What is wrong with the copy of one that is to be added, in sentences. */
export type HouseErrors = Readonly<Partial<Record<keyof HouseCopy, string>>>;

const FIELD_IDS = { headline: "headline", description: "description" };
const LABELS = { headline: "Headline", description: "Description" };

/** What the page of house ads shows. */
export interface HouseAdsProps {
  /** In the order in which they take turns. */
  ads: readonly HouseAd[];
  /** The one that was shown last; null for none. */
  lastId: string | null;
  /** The one whose turn is next; null where the built-in one is shown. */
  nextId: string | null;
  typed: HouseCopy;
  errors: HouseErrors;
  note: string | null;
  error: string | null;
}

/** `/operator/house-ads`: what readers see on days that nobody wins. */
export function HouseAdsPage(props: HouseAdsProps): Html {
  const { ads, nextId, note, error, errors } = props;
  return (
    <Page
      title="House ads"
      note={note}
      error={error}
      faults={faultsOf(errors, FIELD_IDS, LABELS)}
      scripts={COUNTER_SCRIPTS}
    >
      <p>
        They take turns on the days that nobody wins. Each leads to the page for
        advertisers.
      </p>
      {ads.map((ad, at) => (
        <One
          {...props}
          ad={ad}
          isFirst={at === 0}
          isLast={at === ads.length - 1}
        />
      ))}
      {nextId === null && (
        <section>
          <h2>Shown while none takes turns</h2>
          <HousePreview copy={BUILT_IN_HOUSE_AD} />
        </section>
      )}
      <NewHouseAd {...props} />
    </Page>
  );
}

/** A house ad as readers see it. */
export function HousePreview(
  { copy, heading = "h3" }: { copy: HouseCopy; heading?: "h2" | "h3" },
): Html {
  return (
    <Stage
      contentType="house_advertisement"
      headline={copy.headline}
      description={copy.description}
      advertiser={BUILT_IN_HOUSE_AD.advertiser}
      link={{ href: ADVERTISE_PAGE, host: null }}
      heading={heading}
    />
  );
}

function One(
  { ad, lastId, nextId, isFirst, isLast }: HouseAdsProps & {
    ad: HouseAd;
    isFirst: boolean;
    isLast: boolean;
  },
) {
  const { id, active, headline } = ad;
  const standing = [
    active ? "Takes turns" : "Rests",
    ...id === nextId ? ["is next"] : [],
    ...id === lastId ? ["was shown last"] : [],
  ].join(", ");
  const act = (name: string, words: string) => (
    <Form action={houseAdPath(id, name)} class="inline">
      <Button kind="plain">
        {words} <span class="unseen">“{headline}”</span>
      </Button>
    </Form>
  );
  return (
    <section>
      <h2>{standing}</h2>
      <HousePreview copy={ad} />
      <div class="buttons">
        {!isFirst && act("earlier", "Earlier")}
        {!isLast && act("later", "Later")}
        {active ? act("rest", "Let it rest") : act("wake", "Let it take turns")}
        {!active && act("remove", "Remove")}
      </div>
    </section>
  );
}

function NewHouseAd({ typed, errors }: HouseAdsProps) {
  return (
    <section>
      <h2>Add one</h2>
      <Form action={`${HOUSE_ADS_PATH}/make`}>
        <Field
          name="headline"
          label={LABELS.headline}
          value={typed.headline}
          error={errors.headline ?? null}
          counted={HEADLINE.max}
          required
        />
        <TextArea
          name="description"
          label={LABELS.description}
          hint={`${DESCRIPTION.min} to ${DESCRIPTION.max} characters`}
          value={typed.description}
          error={errors.description ?? null}
          counted={DESCRIPTION.max}
          required
        />
        <Button>Look at it</Button>
      </Form>
    </section>
  );
}
