import type { Services } from "../../../domain/ports.ts";
import { AGENT_OPERATIONS } from "../../operations/agent_operations.ts";
import type { AgentOperation } from "../../operations/operation.ts";
import { toolsOf } from "../../operations/as_tool.ts";
import type { AdvertiserCaller, AdvertiserTool } from "./advertiser_caller.ts";
import { requestAccess } from "./request_access.ts";

/**
 * The tools of the advertiser server, one for each operation (contract §8.3):
 * the same verb, the same object, the same refusals. One more asks for scopes.
 */
export function advertiserTools(
  services: Services,
  operations: readonly AgentOperation[] = AGENT_OPERATIONS,
): AdvertiserTool[] {
  const tools = operations.flatMap((each) =>
    toolsOf<AdvertiserCaller>(services, each)
  );
  return [...tools, requestAccess];
}
