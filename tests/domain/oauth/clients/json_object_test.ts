import { assertEquals } from "@std/assert";
import { parseJsonObject } from "../../../../domain/oauth/clients/json_object.ts";

Deno.test("parseJsonObject() reads the document of a client that says one thing", () => {
  const text = '{"client_id":"https://a.example/","redirect_uris":[]}';
  assertEquals(parseJsonObject(text), JSON.parse(text));
  for (const other of ["[]", "null", "1", "", '{"a":1,"a":2}', "{"]) {
    assertEquals(parseJsonObject(other), null, other);
  }
});
