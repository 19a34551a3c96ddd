import { refuse, Refused } from "../../domain/refusal.ts";

/** Longest form that is read; the longest of ours has about 2 KiB. */
export const FORM_MAX_BYTES = 16 * 1024;

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** What a browser sent with a form. */
export interface Form {
  /** A field as it was typed, ends trimmed; empty when it was not sent. */
  text(name: string): string;
  /** The ticked values of a list; empty when none is. */
  list(name: string): readonly string[];
}

/**
 * Reads a urlencoded form of 16 KiB at most. Only the named lists may have
 * several values; any other field that is sent twice is refused, since which
 * one counts would be a guess.
 *
 * @throws {Refused} `bad_request`
 */
export async function readForm(
  request: Request,
  lists: readonly string[] = [],
): Promise<Form> {
  if (!FORM_TYPE.test(request.headers.get("content-type") ?? "")) {
    badForm("its media type must be application/x-www-form-urlencoded");
  }
  const fields = new URLSearchParams(await readText(request.body));
  const names = [...fields.keys()].filter((name) => !lists.includes(name));
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) {
    const quoted = JSON.stringify(repeated.slice(0, 100));
    badForm(`the field ${quoted} must be sent once`);
  }
  return {
    text: (name) => fields.get(name)?.trim() ?? "",
    list: (name) => fields.getAll(name),
  };
}

async function readText(
  body: ReadableStream<Uint8Array> | null,
): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let length = 0;
  try {
    for await (const chunk of body ?? []) {
      length += chunk.byteLength;
      if (length > FORM_MAX_BYTES) {
        badForm(`it must be of ${FORM_MAX_BYTES} bytes at most`);
      }
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (thrown) {
    if (thrown instanceof Refused) throw thrown;
    // The browser has hung up, or sent what is not UTF-8.
    badForm("it must arrive whole, in UTF-8");
  }
}

function badForm(wanted: string): never {
  refuse({ code: "bad_request", message: `Cannot read the form: ${wanted}` });
}
