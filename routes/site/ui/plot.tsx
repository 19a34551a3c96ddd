import type { Html } from "../../pages/html.ts";
import { thousands } from "../../../domain/text/euros.ts";

/** How wide a bar's place is, and how high a plot, in units of the drawing. */
const STEP = 10;
const HEIGHT = 100;
/** The least that something which is there is seen by. */
const LEAST = 1.5;

/** One bar. */
export interface Bar {
  /** What it is of, as it is read out and shown under the pointer. */
  name: string;
  /** Null where there is nothing to show. */
  value: number | null;
}

/** What is drawn. */
export interface BarPlotProps {
  /** Names its elements on the page. */
  id: string;
  title: string;
  /** What there is to see, in a sentence. */
  description: string;
  bars: readonly Bar[];
  /** What stands below it from left to right. */
  marks: readonly string[];
}

/**
 * Bars over time, drawn on the server. Its words stand beside the drawing, which
 * is stretched to the width there is; the figures belong in a table beside it.
 */
export function BarPlot(props: BarPlotProps): Html {
  const { id, title, description, bars, marks } = props;
  const highest = Math.max(0, ...bars.map(({ value }) => value ?? 0));
  const width = bars.length * STEP;
  return (
    <figure class="plot">
      <p class="quiet" aria-hidden="true">{thousands(`${highest}`)}</p>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={`${id}-title ${id}-desc`}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-desc`}>{description}</desc>
        {[0, HEIGHT / 2, HEIGHT].map((y) => (
          <line class="grid" x1="0" x2={width} y1={y} y2={y} />
        ))}
        {bars.map((bar, at) => <PlottedBar {...bar} {...{ at, highest }} />)}
      </svg>
      <figcaption class="quiet" aria-hidden="true">
        {marks.map((mark) => <span>{mark}</span>)}
      </figcaption>
    </figure>
  );
}

function PlottedBar(
  { name, value, at, highest }: Bar & { at: number; highest: number },
) {
  if (value === null || value === 0) return null;
  const height = Math.max(LEAST, rounded(value / highest * HEIGHT));
  return (
    <rect
      class="bar"
      x={at * STEP + 1}
      y={rounded(HEIGHT - height)}
      width={STEP - 2}
      height={height}
    >
      <title>{`${name}: ${thousands(`${value}`)}`}</title>
    </rect>
  );
}

/**
 * A share of a whole in words, and as a line that is as long as the column for
 * the largest: shares are there to be compared.
 */
export function ShareBar(
  { of: part, all, largest }: { of: number; all: number; largest: number },
): Html {
  return (
    <span class="share">
      <span>{all === 0 ? 0 : Math.round(part / all * 100)} %</span>
      <Line share={largest === 0 ? 0 : part / largest} />
    </span>
  );
}

function Line({ share }: { share: number }) {
  return (
    <svg
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect
        class="bar"
        width={rounded(share * 100)}
        height="8"
      />
    </svg>
  );
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}
