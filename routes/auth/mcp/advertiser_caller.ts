import type { RequestTrace } from "../../context.ts";
import type { Tool } from "../../mcp/types.ts";
import type { OperationCaller } from "../../operations/as_tool.ts";

/** Who asks the advertiser server. */
export interface AdvertiserCaller extends OperationCaller {
  /** What the log says of the request. */
  trace: RequestTrace;
}

/** A tool of the advertiser server. */
export type AdvertiserTool = Tool<AdvertiserCaller>;
