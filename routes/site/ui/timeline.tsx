import type { Child } from "@hono/hono/jsx";
import type { Html } from "../../pages/html.ts";
import { Instant } from "./instant.tsx";

/** How far a step is: behind us, under way, to come, or gone wrong. */
export type StepState = "done" | "now" | "ahead" | "wrong";

/** Something that happened, or is to happen, and what belongs to it. */
export interface TimelineStep {
  /** When it happened; null where it has not, or nobody wrote it down. */
  atMs: number | null;
  state: StepState;
  says: Child;
  /** In their order. */
  parts?: readonly TimelineStep[];
}

/** Steps from top to bottom, each with its moment. */
export function Timeline({ of: steps }: { of: readonly TimelineStep[] }): Html {
  return (
    <ol class="timeline">
      {steps.map((step) => <TimelineItem {...step} />)}
    </ol>
  );
}

const STATE_WORDS: Readonly<Record<StepState, string>> = {
  done: "",
  now: "Under way: ",
  ahead: "To come: ",
  wrong: "Trouble: ",
};

function TimelineItem({ atMs, state, says, parts = [] }: TimelineStep) {
  return (
    <li class={state}>
      <p>
        {atMs !== null && (
          <>
            <Instant atMs={atMs} />
            {" "}
          </>
        )}
        {STATE_WORDS[state] !== "" && (
          <span class="unseen">{STATE_WORDS[state]}</span>
        )}
        {says}
      </p>
      {parts.length > 0 && <Timeline of={parts} />}
    </li>
  );
}
