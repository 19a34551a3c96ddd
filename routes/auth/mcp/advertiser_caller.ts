import type { BearerGrant } from "../../../domain/oauth/grant.ts";
import type { RequestTrace } from "../../context.ts";
import type { Tool } from "../../mcp/types.ts";

/** Who asks the advertiser server. */
export interface AdvertiserCaller {
  /** With the scopes of the token, which may be fewer than were granted. */
  grant: BearerGrant;
  /** Settled once the request is let through. */
  admitted: Promise<void>;
  /** What the log says of the request. */
  trace: RequestTrace;
}

/** A tool of the advertiser server. */
export type AdvertiserTool = Tool<AdvertiserCaller>;
