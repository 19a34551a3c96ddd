import type { Services } from "../../domain/ports.ts";
import type { Route } from "../route_table.ts";
import { componentsPage } from "./dev_components.tsx";
import { devMailPages } from "./dev_mails.tsx";

/** The pages that exist in development alone: mails, and what pages are made of. */
export function devPages(
  services: Pick<Services, "store" | "settings">,
): Route[] {
  return [...devMailPages(services), componentsPage(services.settings)];
}
