import { assertEquals } from "@std/assert";
import { developmentOf } from "../../app/development.ts";
import { DEVELOPMENT } from "../../tools/demo/development.ts";

Deno.test("a service has demo clients, demo routes and simulated VAT ids in development only", () => {
  const of = (environment: "development" | "preview" | "production") =>
    developmentOf({ environment }, DEVELOPMENT);
  assertEquals(of("development"), DEVELOPMENT);
  assertEquals(of("preview"), null);
  assertEquals(of("production"), null);
  assertEquals(developmentOf({ environment: "development" }, undefined), null);
});
