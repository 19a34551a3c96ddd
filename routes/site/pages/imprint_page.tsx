import type { Settings } from "../../../domain/ports.ts";
import type { Html } from "../../pages/html.ts";
import { SharedPage, sharedPageAnswer } from "../../pages/page_answer.ts";
import { type Route, route } from "../../route_table.ts";
import { Facts, Page } from "./page.tsx";

/** Who answers for the website, as the law wants it named. */
const IMPRINT_PAGE = "/imprint";

/** The page that names the seller. */
export function imprintPage(
  settings: Pick<Settings, "seller" | "baseUrl">,
): Route {
  const page = new SharedPage(<Imprint {...settings} />);
  return route(
    "GET",
    IMPRINT_PAGE,
    (context) => sharedPageAnswer(context, page),
  );
}

function Imprint(
  { seller, baseUrl }: Pick<Settings, "seller" | "baseUrl">,
): Html {
  const { name, address, country, vatId, email } = seller;
  return (
    <Page
      title="Imprint"
      description="Who runs Spotlight and sells its place and its figures, and how to reach them."
      canonicalUrl={`${baseUrl}${IMPRINT_PAGE}`}
    >
      <p>Who runs Spotlight, and who sells its place and its figures:</p>
      <Facts
        of={[
          ["Company", name],
          ["Address", `${address}, ${country}`],
          ["VAT id", vatId],
          ["Mail", <a href={`mailto:${email}`}>{email}</a>],
        ]}
      />
      <p>
        To report an advertisement, use “Report this ad” on the page of its day.
      </p>
    </Page>
  );
}
