import type { Services } from "../ports.ts";

/** What reading everything of an account takes. */
export type ExportServices = Pick<Services, "store" | "clock" | "settings">;

/** Whose copy it is, with what several parts of it need. */
export interface Exported {
  accountId: string;
  email: string;
}
