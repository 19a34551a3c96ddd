import type { Services } from "../../../domain/ports.ts";
import { AGENT_OPERATIONS } from "../../operations/agent_operations.ts";
import type { AgentOperation } from "../../operations/operation.ts";
import { toolsOf } from "./agent_tool.ts";
import type { AdvertiserTool } from "./advertiser_caller.ts";
import { requestAccess } from "./request_access.ts";

/**
 * The tools of the advertiser server, one for each operation (contract §8.3):
 * the same verb, the same object, the same refusals. One more asks for scopes.
 */
export function advertiserTools(
  services: Services,
  operations: readonly AgentOperation[] = AGENT_OPERATIONS,
): AdvertiserTool[] {
  const tools = operations.flatMap((each) => toolsOf(services, each));
  return [...tools, requestAccess];
}
