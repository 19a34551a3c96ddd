import {
  type JobStatus,
  listJobRuns,
} from "../../../domain/operations/list_job_runs.ts";
import { runJobNow } from "../../../domain/operations/run_job_now.ts";
import type { Html } from "../../pages/html.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { operatorPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote } from "../pages/done_note.ts";
import { Button, Form } from "../pages/forms.tsx";
import { Page } from "../pages/page.tsx";
import { Instant } from "../ui/instant.tsx";
import { askThenAct, SENT_BEFORE } from "./desk_act.tsx";
import { jobOf, slugOf } from "./job_slugs.ts";
import { JOBS_PATH } from "./paths.ts";

const NOTES: Readonly<Record<string, string>> = {
  ...SENT_BEFORE,
  ran: "The job ran, and has nothing left to do.",
  waited: "The job did nothing: the store is on hold.",
  failed: "The job failed. What is known is shown below; job.failed in the " +
    "log says more.",
};

/** The operator's page about background jobs. */
export function jobsSurface(parts: AdvertiserParts): Surface {
  return operatorPage(parts, {
    path: JOBS_PATH,
    get: { [JOBS_PATH]: showJobs },
    post: { [`${JOBS_PATH}/:job/run`]: run },
    // A job may charge cards and give money back.
    freshChanges: { fields: [] },
  });
}

async function showJobs(request: PageRequest): Promise<Response> {
  const { services, jobs, show } = request;
  const statuses = await listJobRuns(services, jobs);
  return show(
    <JobsPage statuses={statuses} note={doneNote(request, NOTES)} />,
  );
}

function JobsPage(
  { statuses, note }: { statuses: readonly JobStatus[]; note: string | null },
): Html {
  return (
    <Page title="Jobs" note={note}>
      <p>
        Each runs by itself, and may run twice, late or beside itself without
        harm. Times are in UTC.
      </p>
      <ul class="rows">
        {troubledFirst(statuses).map((status) => <JobRow status={status} />)}
      </ul>
    </Page>
  );
}

/** Jobs that are late or failing stand where they are seen. */
function troubledFirst(statuses: readonly JobStatus[]): JobStatus[] {
  const isFine = ({ late, failures }: JobStatus) => !late && failures === null;
  return statuses.toSorted((a, b) => Number(isFine(a)) - Number(isFine(b)));
}

function JobRow({ status }: { status: JobStatus }) {
  const { name, schedule, lastSuccessMs, nextMs, failures, late } = status;
  return (
    <li>
      <div>
        <p>
          <strong>{name}</strong>
          {late && <strong class="error">, late</strong>}
        </p>
        <p class="quiet">
          {lastSuccessMs === null ? "It never succeeded" : (
            <>
              Last succeeded <Instant atMs={lastSuccessMs} />
            </>
          )}; next <Instant atMs={nextMs} /> (<code>{schedule}</code>)
        </p>
        {failures !== null && (
          <p class="error">
            Failed {failures.count === 1 ? "once" : `${failures.count} times`}
            {" "}
            since, last <Instant atMs={failures.lastMs} />:{" "}
            <code>{failures.error}</code>
          </p>
        )}
      </div>
      <Form action={`${JOBS_PATH}/${slugOf(name)}/run`} class="inline">
        <Button kind="plain">
          Run now<span class="unseen">: {name}</span>
        </Button>
      </Form>
    </li>
  );
}

async function run(request: PageRequest): Promise<Response> {
  const { jobs, param } = request;
  const job = jobOf(jobs, param("job"));
  const { name } = job;
  const form = await request.form();
  return await askThenAct(request, {
    form,
    ask: () => ({
      title: "Run the job now",
      about: <strong>{name}</strong>,
      effect: "It does all there is to do for it, as it does by itself. The " +
        "page waits for it, a minute at most.",
      kind: "main",
      action: `${JOBS_PATH}/${slugOf(name)}/run`,
      fields: {},
      leave: JOBS_PATH,
    }),
    order: { act: "job.run", subject: name },
    act: (acting) => runJobNow(acting, job),
    next: { path: JOBS_PATH, done: "ran" },
  });
}
