import { assert } from "@std/assert";

/** The moment and the seal behind the name of what was done. */
const SEAL = /(\?done=[\w-]+)\.[0-9a-z]+\.[\w-]{16}(?=#|$)/;

/** Where an answer leads: its path, and the name of what was done. */
export function ledTo(answer: Response): string | null {
  const location = answer.headers.get("location");
  return location === null ? null : unsealed(location);
}

/** Such an address without moment and seal, which a test can name. */
export function unsealed(location: string): string {
  return location.replace(SEAL, "$1");
}

/** The address itself, as a browser follows it. */
export function leadOf(answer: Response): string {
  const location = answer.headers.get("location");
  assert(location !== null, "the answer leads nowhere");
  return location;
}
