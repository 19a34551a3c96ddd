/**
 * Durable tasks between two workers that die at any commit, with clocks that are
 * put forward and back: nothing is lost, nothing is done by two within a lease,
 * nothing past its attempts, nothing on hold.
 */
import { assert } from "@std/assert";
import fc from "fast-check";
import { type Fence, story, TaskStory } from "./task_story.ts";

const STORIES = 150;

for (const fence of ["owner", "attempts"] satisfies Fence[]) {
  Deno.test(`tasks whose lease is told by their ${fence} end once, by whoever has them, in every story`, async () => {
    const total = { runs: 0, done: 0, givenUp: 0 };
    await fc.assert(
      fc.asyncProperty(story, async (each) => {
        const { facts } = await TaskStory.tell(fence, each);
        total.runs += facts.runs;
        total.done += facts.done;
        total.givenUp += facts.givenUp;
      }),
      // What fails is told with its seed and path, which make it again.
      { numRuns: STORIES },
    );
    const { runs, done, givenUp } = total;
    assert(
      runs > STORIES && done > STORIES && givenUp > STORIES / 10,
      `${runs} runs, ${done} done, ${givenUp} given up`,
    );
  });
}
