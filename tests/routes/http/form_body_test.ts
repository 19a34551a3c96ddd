import { assertEquals } from "@std/assert";
import {
  FORM_FIELDS_MAX,
  FORM_MAX_BYTES,
  readForm,
} from "../../../routes/http/form_body.ts";
import { bodyOf } from "../../support/bindings.ts";
import { refusalOf } from "../../support/refused.ts";

const TYPE = "application/x-www-form-urlencoded";
const PAGE = "https://spotlight.example/form";

function sent(body: BodyInit, type = TYPE): Request {
  const headers = { "content-type": type };
  return new Request(PAGE, { method: "POST", headers, body });
}

async function badForm(request: Request, wanted: string): Promise<void> {
  assertEquals(await refusalOf(() => readForm(bodyOf(request), ["scope"])), {
    code: "bad_request",
    message: `Cannot read the form: ${wanted}`,
  });
}

Deno.test("readForm() decodes fields and trims what was typed", async () => {
  const form = await readForm(
    bodyOf(sent("name=%20Caf%C3%A9+%26+Co%20&empty=")),
  );
  assertEquals(form.text("name"), "Café & Co");
  assertEquals(form.text("empty"), "");
  assertEquals(form.text("absent"), "");
});

Deno.test("readForm() gives all values of a list and none of an absent one", async () => {
  const form = await readForm(bodyOf(sent("scope=a&scope=b")), ["scope"]);
  assertEquals(form.list("scope"), ["a", "b"]);
  assertEquals(form.list("other"), []);
});

Deno.test("readForm() refuses a field that is sent twice", async () => {
  await badForm(
    sent("amount=1&scope=a&scope=b&amount=2"),
    'the field "amount" must be sent once',
  );
});

Deno.test("readForm() refuses another media type", async () => {
  const wanted = `its media type must be ${TYPE}`;
  await badForm(sent("{}", "application/json"), wanted);
  await badForm(sent("a=b", "text/plain"), wanted);
  await badForm(sent("a=b", `x${TYPE}`), wanted);
});

Deno.test("readForm() takes a media type with a parameter", async () => {
  const form = await readForm(bodyOf(sent("a=b", `${TYPE};charset=UTF-8`)));
  assertEquals(form.text("a"), "b");
});

Deno.test("readForm() reads 16 KiB and refuses one byte more", async () => {
  const value = "x".repeat(FORM_MAX_BYTES - 2);
  assertEquals(
    (await readForm(bodyOf(sent(`a=${value}`)))).text("a", FORM_MAX_BYTES),
    value,
  );
  await badForm(sent(`a=${value}x`), "it must be of 16384 bytes at most");
});

Deno.test("readForm() reads 400 fields and refuses one more", async () => {
  const fields = Array.from({ length: FORM_FIELDS_MAX }, (_, n) => `f${n}=x`);
  const form = await readForm(bodyOf(sent(fields.join("&"))));
  assertEquals(form.text("f399"), "x");
  for (const more of ["g", "g=1", "", "&&&"]) {
    const all = [...fields, more].join("&");
    await badForm(sent(all), "it must have 400 fields at most");
  }
});

Deno.test("readForm() refuses what is not UTF-8", async () => {
  const wanted = "it must arrive whole, in UTF-8";
  await badForm(sent(new Uint8Array([0x61, 0x3d, 0xff])), wanted);
});

Deno.test("readForm() takes a form without fields", async () => {
  const request = new Request(PAGE, {
    method: "POST",
    headers: { "content-type": TYPE },
  });
  assertEquals((await readForm(bodyOf(request))).text("a"), "");
});

Deno.test("a form's fields are cut at the length that is asked for", async () => {
  const form = await readForm(bodyOf(sent(`a=${"x".repeat(5_000)}`)));
  assertEquals(form.text("a", 3), "xxx");
  assertEquals(form.text("a").length, 1_100);
});

Deno.test("a form's lists have the first 300 values", async () => {
  const many = "scope=a&".repeat(350);
  const form = await readForm(bodyOf(sent(many)), ["scope"]);
  assertEquals(form.list("scope").length, 300);
});
