import { renderAgent } from "../../errors/agent_surface.ts";
import {
  bearerAmbiguous,
  bearerInvalid,
  bearerMissing,
} from "../../errors/bearer_error.ts";
import type { SurfaceAnswers } from "../../route_table.ts";

/**
 * What the agent API answers, but that challenges name the document of this
 * server, which stands at a path of its own.
 */
export const ADVERTISER_ANSWERS: SurfaceAnswers = {
  refused(refusal, context) {
    switch (refusal.code) {
      case "token_missing":
        return bearerMissing(context, "mcp");
      case "token_invalid":
        return bearerInvalid(context, "mcp");
      case "token_ambiguous":
        return bearerAmbiguous(context, "mcp");
      default:
        return renderAgent(refusal, context);
    }
  },
};
