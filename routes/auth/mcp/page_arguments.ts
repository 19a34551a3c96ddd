import { z } from "zod";
import { limitArgument } from "../../mcp/tool_arguments.ts";
import { CURSOR_MAX } from "../../http/list_query.ts";

/** What a list takes (contract §7.1). */
export const pageArguments: z.ZodObject<
  { limit: typeof limitArgument; cursor: z.ZodOptional<z.ZodString> },
  z.core.$strict
> = z.strictObject({
  limit: limitArgument,
  cursor: z.string().max(CURSOR_MAX).optional().describe(
    "The next_cursor of the page before",
  ),
});
