/** The last time a background job did all it had to. */
export interface JobRun {
  name: string;
  lastSuccessMs: number;
}
