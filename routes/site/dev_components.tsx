import type { Child } from "@hono/hono/jsx";
import { DAY_MS } from "../../domain/day.ts";
import type { Settings } from "../../domain/ports.ts";
import type { Html } from "../pages/html.ts";
import { privateAnswer } from "../pages/page_answer.ts";
import { type Route, route } from "../route_table.ts";
import { onlyInDevelopment } from "./dev_mail_page.tsx";
import {
  Button,
  Field,
  Form,
  Select,
  StatusNote,
  TextArea,
  Tick,
} from "./pages/forms.tsx";
import { Cards, Facts, Page } from "./pages/page.tsx";
import { COUNTER_SCRIPTS } from "./pages/script_routes.ts";
import { Counts } from "./ui/counts.tsx";
import { Notice } from "./ui/notice.tsx";
import { BarPlot, ShareBar } from "./ui/plot.tsx";
import { ShownTimes } from "./ui/shown_window.tsx";
import { Stage } from "./ui/stage.tsx";
import { Stats } from "./ui/stats.tsx";
import { Steps } from "./ui/steps.tsx";
import { NextStep, stepAhead } from "./first_steps/next_step.tsx";
import { Table } from "./ui/table.tsx";
import { TimeLeft } from "./ui/time_left.tsx";

/** Where what pages are made of is looked at. */
const COMPONENTS_PAGE = "/dev/components";

const HERE = COMPONENTS_PAGE;
/** Words that leave no room: one without a break, and one of another script. */
const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauten";
const ARABIC = "تعلّم صناعة الفخار في يوم واحد";

/**
 * `/dev/components`, in development alone: each component that pages share, in
 * each state that it has. Whoever adds one puts it here.
 */
export function componentsPage(settings: Settings): Route {
  return onlyInDevelopment(
    settings,
    route(
      "GET",
      COMPONENTS_PAGE,
      (context) => privateAnswer(context, <Components />),
    ),
  );
}

function Components(): Html {
  return (
    <Page
      title="Components"
      note="What was done is said like this."
      error="What was in the way is said like this:"
      faults={[["wrong", "Shorten this."], ["none", "Choose one."]]}
      scripts={COUNTER_SCRIPTS}
    >
      <p class="lead">What pages are made of, in each of its states.</p>
      <Stages />
      <Buttons />
      <Fields />
      <Notes />
      <Lists />
      <Figures />
    </Page>
  );
}

function Part({ name, children }: { name: string; children?: Child }) {
  return (
    <section>
      <h2>{name}</h2>
      {children}
    </section>
  );
}

function Stages() {
  const link = { href: HERE, host: "atelier-brume.example" };
  const paid = {
    contentType: "paid_advertisement",
    headline: "Learn to throw a pot in one Saturday",
    description: "Six places, six wheels, one patient potter in Nantes.",
    advertiser: "Atelier Brume SARL",
    heading: "h3",
    link,
  } as const;
  return (
    <Part name="Stage">
      <Stage {...paid} />
      <Stage {...paid} headline={LONG} advertiser={LONG} link={null} />
      <Stage {...paid} headline={ARABIC} description={ARABIC} />
      <Stage
        {...paid}
        contentType="house_advertisement"
        advertiser="Spotlight"
        link={{ href: HERE, host: null }}
      />
      <Stage
        {...paid}
        link={{ href: null, host: `${"a".repeat(60)}.example` }}
      />
    </Part>
  );
}

function Buttons() {
  return (
    <Part name="Buttons">
      <Form action={HERE}>
        <p class="buttons">
          <Button>Main</Button>
          <Button kind="plain">Plain</Button>
          <Button kind="danger">Danger</Button>
          <a class="button" href={HERE}>A link</a>
          <a class="button main" href={HERE}>A main link</a>
        </p>
      </Form>
    </Part>
  );
}

function Fields() {
  return (
    <Part name="Fields">
      <Form action={HERE}>
        <Field name="plain" label="Plain" />
        <Field name="hinted" label="With a hint" hint="Such as this" />
        <Field name="counted" label="Counted" counted={60} required />
        <Field name="amount" label="Amount" inputmode="decimal" value="99.00" />
        <Field name="date" label="Date" type="date" value="2026-11-20" />
        <Field name="wrong" label="Wrong" value={LONG} error="Shorten this." />
        <TextArea
          name="text"
          label="Several lines"
          hint="Up to 200 characters"
          value="One"
          error={null}
          counted={200}
        />
        <Select name="choice" label="A choice" hint="One of these" error={null}>
          <option>One</option>
          <option>{LONG}</option>
        </Select>
        <Select name="none" label="No choice" error="Choose one.">
          <option>Choose</option>
        </Select>
        <Tick name="ticked" value="yes" checked>Ticked</Tick>
        <Tick name="open" value="yes" checked={false}>
          Not ticked, with a sentence that goes on for more than a line in any
          window there is, so that the box stays where it is
        </Tick>
        <Tick name="unticked" value="yes" checked={false} error="Tick this.">
          Wrong
        </Tick>
        <Button>Send</Button>
      </Form>
    </Part>
  );
}

function Notes() {
  return (
    <Part name="Notes">
      <StatusNote>What went well.</StatusNote>
      <p class="note error">What went wrong: {LONG}</p>
      <Notice title="Your account is suspended">
        <p>What it is, since when, and what to do about it.</p>
      </Notice>
      <p class="quiet">Said quietly.</p>
      <p class="label">A label</p>
    </Part>
  );
}

function Lists() {
  const button = [HERE, "Take it"] as const;
  const steps = [
    { label: "A step that is done", isDone: true, button },
    { label: "The next", isDone: false, says: "What it wants.", button },
    { label: "One that follows", isDone: false, button },
  ];
  return (
    <Part name="Lists">
      <Steps of={steps} />
      <Steps of={steps} isOverview />
      <section class="auction">
        <h2>The auction that is open</h2>
        <Facts of={[["Your bid", "You have not bid."], ["Long", LONG]]} />
        <NextStep step={stepAhead(steps, "/elsewhere")} />
      </section>
      <Cards of={[<li>A card</li>, <li>{LONG}</li>]} />
      <Cards of={[]} none="There are no cards." />
      <Facts of={[["Name", "Value"], ["Long", LONG], ["Arabic", ARABIC]]} />
    </Part>
  );
}

function Figures() {
  const bars = Array.from({ length: 24 }, (_, hour) => ({
    name: `${hour}:00`,
    value: hour < 3 ? null : (hour * 37) % 100,
  }));
  const fromMs = Date.UTC(2026, 10, 20, 23, 55);
  const untilMs = fromMs + DAY_MS;
  const names = ["ad to review", "ads to review"] as const;
  return (
    <Part name="Figures">
      <Counts
        of={[0, 1, 50].map((found) => ({ found, max: 50, names, href: HERE }))}
      />
      <Stats
        of={[
          { name: "Human clicks", value: "1,204", hint: "of 1,530 requests" },
          { name: "Cost a click", value: "EUR 0.08" },
          { name: "Nothing yet", value: "–" },
        ]}
      />
      <BarPlot
        id="hours"
        title="Clicks by hour"
        description="Most came in the evening."
        bars={bars}
        marks={["00:00", "12:00", "24:00"]}
      />
      <BarPlot
        id="empty"
        title="No clicks"
        description="There is nothing to see."
        bars={bars.map(({ name }) => ({ name, value: null }))}
        marks={["00:00", "24:00"]}
      />
      <Table
        id="countries"
        caption="Clicks by country"
        columns={[
          { name: "Country" },
          { name: "Clicks", numeric: true },
          { name: "Share", roomy: true },
        ]}
        rows={[
          ["France", "904", <ShareBar of={904} all={1_204} largest={904} />],
          [LONG, "300", <ShareBar of={300} all={1_204} largest={904} />],
        ]}
      />
      <p>
        <ShownTimes {...{ fromMs, untilMs }} />, for{" "}
        <TimeLeft untilMs={untilMs} nowMs={fromMs} over="no time" />
      </p>
    </Part>
  );
}
