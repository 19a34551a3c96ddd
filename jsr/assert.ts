/**
 * Stand-in for `@std/assert`: the same names and meanings over `node:assert`.
 *
 * @module
 */
import nodeAssert from "node:assert/strict";

/** Thrown by every assertion here. */
export const AssertionError = nodeAssert.AssertionError;

type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

/** Asserts that `actual` is truthy. */
export function assert(actual: unknown, message = ""): asserts actual {
  if (!actual) throw new AssertionError({ message: message || "not truthy" });
}

/** Asserts deep, strict equality. */
export function assertEquals<T>(
  actual: T,
  expected: T,
  message?: string,
): void {
  nodeAssert.deepStrictEqual(actual, expected, message);
}

/** Asserts that the two values are not deeply equal. */
export function assertNotEquals<T>(
  actual: T,
  expected: T,
  message?: string,
): void {
  nodeAssert.notDeepStrictEqual(actual, expected, message);
}

/** Asserts identity by `Object.is`. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  message?: string,
): asserts actual is T {
  nodeAssert.strictEqual(actual, expected, message);
}

/** Asserts that the value is neither `null` nor `undefined`. */
export function assertExists<T>(
  actual: T,
  message = "value is null or undefined",
): asserts actual is NonNullable<T> {
  if (actual === null || actual === undefined) {
    throw new AssertionError({ message });
  }
}

/** Asserts that the text contains `expected`. */
export function assertStringIncludes(
  actual: string,
  expected: string,
  message?: string,
): void {
  if (actual.includes(expected)) return;
  throw new AssertionError({
    message: message ?? `"${actual}" does not include "${expected}"`,
  });
}

/** Asserts that the text matches the expression. */
export function assertMatch(
  actual: string,
  expected: RegExp,
  message?: string,
): void {
  nodeAssert.match(actual, expected, message);
}

/** Asserts that every property of `expected` is deeply equal in `actual`. */
export function assertObjectMatch(
  actual: Record<PropertyKey, unknown>,
  expected: Record<PropertyKey, unknown>,
  message?: string,
): void {
  for (const key of Reflect.ownKeys(expected)) {
    const want = expected[key];
    const got = actual[key];
    if (isPlainObject(want) && isPlainObject(got)) {
      assertObjectMatch(got, want, message);
    } else {
      assertEquals(got, want, message ?? `property ${String(key)}`);
    }
  }
}

/** Asserts that the function throws, and returns what it threw. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  errorClass?: ErrorClass<E>,
  messageIncludes = "",
): E {
  try {
    fn();
  } catch (error) {
    return checkThrown(error, errorClass, messageIncludes);
  }
  throw new AssertionError({ message: "expected function to throw" });
}

/** Asserts that the promise rejects, and returns the reason. */
export async function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  errorClass?: ErrorClass<E>,
  messageIncludes = "",
): Promise<E> {
  try {
    await fn();
  } catch (error) {
    return checkThrown(error, errorClass, messageIncludes);
  }
  throw new AssertionError({ message: "expected promise to reject" });
}

/** Fails the test. */
export function fail(message = "failed"): never {
  throw new AssertionError({ message });
}

function checkThrown<E extends Error>(
  error: unknown,
  errorClass: ErrorClass<E> | undefined,
  messageIncludes: string,
): E {
  if (!(error instanceof (errorClass ?? Error))) {
    throw new AssertionError({
      message: `expected ${errorClass?.name ?? "Error"}, got ${String(error)}`,
    });
  }
  assertStringIncludes(error.message, messageIncludes);
  return error as E;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
