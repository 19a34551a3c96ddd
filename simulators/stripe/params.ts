/**
 * Says what parameters a request takes and reads them, refusing the rest.
 *
 * @module
 */

import { invalidRequest } from "./errors.ts";
import type { FormMap, FormValue } from "./form.ts";

/** Reads one parameter. */
export interface Rule<T> {
  /**
   * Turns the wire value into ours or throws an ApiError.
   *
   * @param isPreview whether the request asks for a preview version
   */
  read(value: FormValue, name: string, isPreview?: boolean): T;
}

/** A parameter that must be sent. */
export interface RequiredRule<T> extends Rule<T> {
  /** Marks the rule. */
  required: true;
}

/** The parameters of a request by name. */
export type Shape = Record<string, Rule<unknown>>;

/** What a shape reads: an absent parameter is `undefined`. */
export type Read<S extends Shape> = {
  [K in keyof S]: S[K] extends RequiredRule<infer T> ? T
    : S[K] extends Rule<infer T> ? T | undefined
    : never;
};

/**
 * Reads a map by a shape.
 *
 * @throws {ApiError} 400 `parameter_unknown`, `parameter_missing` or the
 * rule's own refusal
 */
export function readShape<S extends Shape>(
  shape: S,
  form: FormMap,
  prefix = "",
  isPreview = false,
): Read<S> {
  const read: Record<string, unknown> = {};
  for (const name in form) {
    const rule = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const full = prefix === "" ? name : `${prefix}[${name}]`;
    if (rule === undefined) throw unknownParameter(full);
    read[name] = rule.read(form[name] ?? "", full, isPreview);
  }
  for (const name in shape) {
    if (name in read || !("required" in (shape[name] ?? {}))) continue;
    const full = prefix === "" ? name : `${prefix}[${name}]`;
    throw invalidRequest(`Missing required param: ${full}.`, {
      code: "parameter_missing",
      param: full,
    });
  }
  return read as Read<S>;
}

/** The parameter must be sent. */
export function required<T>(rule: Rule<T>): RequiredRule<T> {
  return { read: rule.read, required: true };
}

/** The parameter is known to preview versions of the API only. */
export function preview<T>(rule: Rule<T>): Rule<T> {
  return {
    read(value, name, isPreview) {
      if (!isPreview) throw unknownParameter(name);
      return rule.read(value, name, isPreview);
    },
  };
}

/** Text that is not empty. */
export function text(maxLength = 5_000): Rule<string> {
  return {
    read(value, name) {
      const given = nonEmpty(value, name);
      if (given.length <= maxLength) return given;
      throw invalidRequest(
        `Invalid string: ${name} must be at most ${maxLength} characters`,
        { param: name },
      );
    },
  };
}

/** An absolute address of the web, as a browser is sent to. */
export function url(): Rule<string> {
  return {
    read(value, name) {
      const given = text().read(value, name);
      const protocol = URL.parse(given)?.protocol;
      if (protocol === "https:" || protocol === "http:") return given;
      throw invalidRequest(
        `Not a valid URL: ${given.slice(0, 100)}. URLs must begin with https ` +
          "or http",
        { code: "url_invalid", param: name },
      );
    },
  };
}

/** `true` or `false`. */
export function flag(): Rule<boolean> {
  return {
    read(value, name) {
      const given = nonEmpty(value, name);
      if (given === "true" || given === "false") return given === "true";
      throw invalidRequest(`Invalid boolean: ${given}`, { param: name });
    },
  };
}

/** A whole number within bounds. */
export function integer(
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
): Rule<number> {
  return {
    read(value, name) {
      const given = nonEmpty(value, name);
      const number = Number(given);
      if (!/^-?\d+$/.test(given) || !Number.isSafeInteger(number)) {
        throw invalidRequest(`Invalid integer: ${given}`, {
          code: "parameter_invalid_integer",
          param: name,
        });
      }
      if (number >= min && number <= max) return number;
      const bound = number < min ? `at least ${min}` : `at most ${max}`;
      throw invalidRequest(`Invalid integer: ${name} must be ${bound}`, {
        code: "parameter_invalid_integer",
        param: name,
      });
    },
  };
}

/** A decimal number within bounds. */
export function decimal(min: number, max: number): Rule<number> {
  return {
    read(value, name) {
      const given = nonEmpty(value, name);
      const number = Number(given);
      if (/^\d+(\.\d+)?$/.test(given) && number >= min && number <= max) {
        return number;
      }
      throw invalidRequest(`Invalid decimal: ${given}`, { param: name });
    },
  };
}

/** One of the given words. */
export function oneOf<const W extends string>(...words: W[]): Rule<W> {
  return {
    read(value, name) {
      const given = nonEmpty(value, name);
      const word = words.find((each) => each === given);
      if (word !== undefined) return word;
      throw invalidRequest(
        `Invalid ${name}: must be one of ${words.join(", ")}`,
        { param: name },
      );
    },
  };
}

/** A currency code; the simulated account settles in euro alone. */
export function currency(): Rule<"eur"> {
  return {
    read(value, name) {
      const given = nonEmpty(value, name).toLowerCase();
      if (given === "eur") return given;
      throw invalidRequest(
        `Invalid currency: ${given}. Valid currencies include: eur`,
        { param: name },
      );
    },
  };
}

/** A map of further parameters. */
export function nested<S extends Shape>(shape: S): Rule<Read<S>> {
  return {
    read(value, name, isPreview) {
      if (typeof value === "string") {
        throw invalidRequest("Invalid object", { param: name });
      }
      return readShape(shape, value, name, isPreview);
    },
  };
}

/** A list, at most `max` long. */
export function list<T>(rule: Rule<T>, max = 100): Rule<T[]> {
  return {
    read(value, name) {
      if (typeof value === "string") {
        throw invalidRequest("Invalid array", { param: name });
      }
      const keys = Object.keys(value);
      const indexed = keys.every((key) => /^\d{1,4}$/.test(key));
      if (!indexed || keys.length > max) {
        throw invalidRequest("Invalid array", { param: name });
      }
      return keys.map((key) => rule.read(value[key] ?? "", `${name}[${key}]`));
    },
  };
}

/** The same, or the empty text that unsets it and reads as `null`. */
export function emptyable<T>(rule: Rule<T>): Rule<T | null> {
  return {
    read: (value, name) => value === "" ? null : rule.read(value, name),
  };
}

/** A real parameter of the Stripe API of which only harmless values work. */
export function inert(...harmless: string[]): Rule<string> {
  return {
    read(value, name) {
      if (typeof value === "string" && harmless.includes(value)) return value;
      throw invalidRequest(
        `The simulator does not support ${name} with this value`,
        { param: name },
      );
    },
  };
}

function unknownParameter(name: string): Error {
  return invalidRequest(`Received unknown parameter: ${name}`, {
    code: "parameter_unknown",
    param: name,
  });
}

function nonEmpty(value: FormValue, name: string): string {
  if (typeof value !== "string") {
    throw invalidRequest("Invalid string", { param: name });
  }
  if (value !== "") return value;
  throw invalidRequest(
    `You passed an empty string for '${name}'. We assume empty values are ` +
      `an attempt to unset a parameter; however '${name}' cannot be unset.`,
    { code: "parameter_invalid_empty", param: name },
  );
}
