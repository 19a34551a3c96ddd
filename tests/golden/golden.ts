/**
 * Answers that are kept byte for byte: a test writes down what it was told and
 * compares it with the file of that name beside this module.
 *
 * @module
 */
import { assertEquals } from "@std/assert";

/** Ids of the processor, and cursors with them, are new in every run. */
const FOREIGN =
  /\b(?:(?:pm|cus|pi|spt)_[A-Za-z0-9]{14,}|hosted\/\w{20,}|\w+CBwbV[89][\w-]+)/g;
/** Where the simulator happens to listen. */
const LISTENER = /\b(?:localhost|127\.0\.0\.1)(?::|%3A)\d+/g;

/** What is told in the order it came, in the words of one golden file. */
export class Recording {
  readonly #parts: string[] = [];
  readonly #names = new Map<string, string>();

  /** Writes a part down under its title. */
  add(title: string, text: string): void {
    this.#parts.push(`=== ${title}\n${text}\n`);
  }

  /** Writes an answer down: its status, its headers and every byte of it. */
  async answer(title: string, answer: Response): Promise<void> {
    const headers = [...answer.headers].map(([name, value]) =>
      `${name}: ${value}`
    );
    const type = answer.headers.get("content-type") ?? "";
    const bytes = await answer.bytes();
    const body = type === "application/pdf"
      ? `(${bytes.length} bytes of a PDF)`
      : new TextDecoder().decode(bytes);
    this.add(title, [answer.status, ...headers.toSorted(), body].join("\n"));
  }

  /** All of it, what is new in every run by its turn. */
  text(): string {
    const all = this.#parts.join("\n").replaceAll(LISTENER, "localhost:0");
    return all.replaceAll(FOREIGN, (id) => {
      const kind = id.startsWith("hosted/") ? "hosted/" : id.slice(0, 3);
      const name = this.#names.get(id) ?? `${kind}(${this.#names.size})`;
      this.#names.set(id, name);
      return name;
    });
  }
}

/** JSON with a member a line; it was written without white space. */
export function linesOf(json: string): string {
  const value: unknown = JSON.parse(json);
  assertEquals(JSON.stringify(value), json);
  return JSON.stringify(value, null, 1);
}

/** Compares with what is kept; `UPDATE_GOLDEN=1` keeps it anew. */
export async function assertGolden(name: string, text: string): Promise<void> {
  const file = new URL(name, import.meta.url);
  if (Deno.env.get("UPDATE_GOLDEN") === "1") {
    await Deno.writeTextFile(file, text);
  }
  const kept = partsOf(await Deno.readTextFile(file));
  const told = partsOf(text);
  // The first difference alone: the files are long.
  for (const [at, part] of told.entries()) assertEquals(part, kept[at]);
  assertEquals(told.length, kept.length);
}

function partsOf(text: string): string[] {
  return text.split(/^(?==== )/m);
}
