import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { Page } from "../pages/page.tsx";
import { Counts } from "../ui/counts.tsx";
import { COMPARED_DAYS, type Desk } from "./desk_view.ts";
import { HoldNote } from "./hold_page.tsx";

/** `/operator`: what waits for an operator, each with the way to it. */
export function OperatorPage({ desk }: { desk: Desk }): Html {
  const { hold, waiting } = desk;
  const isQuiet = waiting.every(({ found }) => found === 0);
  return (
    <Page title="Desk">
      <HoldNote hold={hold} />
      <p>
        {isQuiet
          ? "Nothing waits for you."
          : "This waits for you. The books are those of the last " +
            `${COMPARED_DAYS} days.`}
      </p>
      <Counts of={waiting} />
      <p class="quiet">
        Readers see <a href={PAGES.home}>today’s Spotlight</a>.
      </p>
    </Page>
  );
}
