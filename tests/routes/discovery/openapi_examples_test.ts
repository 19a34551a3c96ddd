/** Holds openapi.json to an example of whatever it describes. */
import { assert, assertEquals } from "@std/assert";
import { openapiDocument } from "../../../routes/discovery/openapi/document.ts";
import { exactSchemas } from "../../../routes/shapes/schemas.ts";
import { assertAcp, newAjv } from "../../support/acp_schema.ts";
import { TEST_SETTINGS } from "../../support/site_app.ts";

// deno-lint-ignore no-explicit-any -- a document of any depth is walked
type Json = any;

const DOCUMENT: Json = JSON.parse(
  JSON.stringify(openapiDocument(TEST_SETTINGS)),
);
const ajv = newAjv();
ajv.addSchema(
  { ...DOCUMENT, components: { schemas: exactSchemas() } },
  "openapi.json",
);

/** A place with a schema, and the examples beside it. */
interface Place {
  where: string;
  schema: Json;
  examples: Json[];
  status: number | null;
}

/** Every operation, with what it has in common with others of its path. */
function operations(): [where: string, operation: Json][] {
  return Object.entries<Json>(DOCUMENT.paths).flatMap(([path, item]) => {
    const { servers: _, parameters = [], ...methods } = item;
    return Object.entries<Json>(methods).map(([method, operation]) =>
      [`${method} ${path}`, {
        ...operation,
        parameters: [...parameters, ...operation.parameters ?? []],
      }] as [string, Json]
    );
  });
}

function placesIn(
  where: string,
  content: Json,
  status: number | null = null,
): Place[] {
  return Object.entries<Json>(content).map(([type, { schema, examples }]) => ({
    where: `${where} ${type}`,
    schema,
    examples: Object.values<Json>(examples).map(({ value }) => value),
    status,
  }));
}

/** All places of an operation: parameters, body and answers. */
function placesOf([where, operation]: [string, Json]): Place[] {
  return [
    ...operation.parameters.map(({ name, schema, example }: Json) => ({
      where: `${where} ${name}`,
      schema,
      examples: [example],
      status: null,
    })),
    ...placesIn(`${where} body`, operation.requestBody?.content ?? {}),
    ...Object.entries<Json>(operation.responses).flatMap(
      ([status, { content = {} }]) =>
        placesIn(`${where} ${status}`, content, Number(status)),
    ),
  ];
}

const PLACES = operations().flatMap(placesOf);

/** Why an example does not fit; null where it does. */
function misfit(schema: Json, example: Json): string | null {
  const validate = ajv.compile(
    JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/')),
  );
  return validate(example) ? null : ajv.errorsText(validate.errors);
}

Deno.test("openapi.json has an example of each parameter, each body and each answer, and each fits its schema", () => {
  assert(PLACES.length > 300);
  const wrong = PLACES.flatMap(({ where, schema, examples }) =>
    examples.length === 0 || examples.includes(undefined)
      ? [`${where} has no example`]
      : examples.flatMap((each) => {
        const why = misfit(schema, each);
        return why === null ? [] : [`${where}: ${why}`];
      })
  );
  assertEquals(wrong, []);
});

Deno.test("examples of openapi.json cover each schema that an answer may have, and errors say their status", () => {
  for (const { where, schema, examples, status } of PLACES) {
    const all = schema.anyOf ?? [schema];
    for (const one of status === null ? [] : all) {
      const fits = examples.some((each) => misfit(one, each) === null);
      assert(fits, `${where}: no example of ${JSON.stringify(one)}`);
    }
    for (const { status: said, error } of examples.filter(isObject)) {
      const code = typeof error?.code === "number" ? error.code : said;
      if (status === null || status < 400 || code === undefined) continue;
      assertEquals([where, code], [where, status]);
    }
  }
});

function isObject(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

Deno.test("the checkout session in openapi.json is one of the protocol's", () => {
  const [place] = PLACES.filter(({ where }) =>
    where ===
      "get /checkout_sessions/{checkout_session_id} 200 application/json"
  );
  assertAcp("CheckoutSession", place?.examples[0]);
});

Deno.test("openapi.json says of every operation whether it needs a token", () => {
  for (const [where, { security }] of operations()) {
    const isPublic = /^\w+ \/(api|ask)\b/.test(where);
    const isSold = where.endsWith("/metrics");
    const wanted = isSold ? "payment" : isPublic ? undefined : "oauth";
    const names = security.flatMap((each: Json) => Object.keys(each));
    assertEquals([where, names[0]], [where, wanted]);
  }
});

Deno.test("answers in openapi.json may get new members, and requests and what is final may not", () => {
  const { schemas } = DOCUMENT.components;
  const closed = Object.keys(schemas).filter((name) =>
    JSON.stringify(schemas[name]).includes('"additionalProperties":false')
  );
  const bodies = operations().flatMap(([, { requestBody }]) =>
    requestBody === undefined ? [] : [
      requestBody.content["application/json"].schema.$ref.split("/").at(-1),
    ]
  );
  const open = ["AskRequest"];
  const wanted = new Set(["Spotlight", "Metrics", ...bodies]);
  assertEquals(
    closed.toSorted(),
    [...wanted].filter((name) => !open.includes(name)).toSorted(),
  );
});
