/** Where an operator looks at the background jobs. */
export const JOBS_PATH = "/operator/jobs";
