import { assertEquals } from "@std/assert";
import { complaintsOf } from "../../tools/doc_lint.ts";

const location = { filename: "file:///x/a.ts", line: 3 };

function outputOf(...declarations: Record<string, unknown>[]) {
  const full = declarations.map((declaration) => ({
    location,
    declarationKind: "export",
    kind: "function",
    jsDoc: { doc: "Says what it does." },
    def: { returnType: {} },
    ...declaration,
  }));
  const symbols = [{ name: "thing", declarations: full }];
  return { version: 2, nodes: { [location.filename]: { symbols } } };
}

Deno.test("complaintsOf() finds nothing wrong with a documented export", () => {
  assertEquals(complaintsOf(outputOf({})), []);
});

Deno.test("complaintsOf() finds an export without JSDoc", () => {
  assertEquals(complaintsOf(outputOf({ jsDoc: {} })), [
    "file:///x/a.ts:3 thing has no JSDoc",
  ]);
});

Deno.test("complaintsOf() finds a function without a return type", () => {
  assertEquals(complaintsOf(outputOf({ def: {} })), [
    "file:///x/a.ts:3 thing has no explicit return type",
  ]);
});

Deno.test("complaintsOf() leaves private names and re-exports alone", () => {
  const found = complaintsOf(outputOf(
    { declarationKind: "private", jsDoc: {} },
    { kind: "reference", jsDoc: {} },
  ));
  assertEquals(found, []);
});
