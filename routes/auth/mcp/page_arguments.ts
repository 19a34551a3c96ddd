import { z } from "zod";
import { limitArgument } from "../../mcp/tool_arguments.ts";
import { CURSOR_MAX } from "../agent/list_query.ts";

/** "Lists: `limit` 1–50 (20), `cursor` opaque." */
export const pageArguments: z.ZodObject<
  { limit: typeof limitArgument; cursor: z.ZodOptional<z.ZodString> },
  z.core.$strict
> = z.strictObject({
  limit: limitArgument,
  cursor: z.string().max(CURSOR_MAX).optional().describe(
    "The next_cursor of the page before",
  ),
});
