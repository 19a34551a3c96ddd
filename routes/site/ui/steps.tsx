import type { Html } from "../../pages/html.ts";

/** One step of several that are taken one after the other. */
export interface Step {
  label: string;
  isDone: boolean;
  /** What there is to know about it while it is the next one. */
  says?: string;
  /** Where it is taken, and what the button says. */
  button: readonly [href: string, label: string];
}

/**
 * Steps in their order; the first that is not done has the one button, unless that
 * stands elsewhere on the page (`isOverview`).
 */
export function Steps(
  { of: steps, isOverview = false }: {
    of: readonly Step[];
    isOverview?: boolean;
  },
): Html {
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <ol class="way">
      {steps.map((step) => (
        <StepItem
          step={step}
          isNext={step === next}
          isOpen={step === next && !isOverview}
        />
      ))}
    </ol>
  );
}

function StepItem(
  { step, isNext, isOpen }: { step: Step; isNext: boolean; isOpen: boolean },
) {
  const { label, isDone, says, button: [href, name] } = step;
  return (
    <li
      class={isDone ? "done" : undefined}
      aria-current={isNext ? "step" : undefined}
    >
      <p>
        <strong>{label}</strong> {isDone && <span class="quiet">– done</span>}
      </p>
      {isOpen && says !== undefined && <p>{says}</p>}
      {isOpen && (
        <p>
          <a class="button main" href={href}>{name}</a>
        </p>
      )}
    </li>
  );
}
