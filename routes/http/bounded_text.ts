import { z } from "zod";

/** Longest id, number or name of ours that a caller may ask for. */
export const ID_MAX = 64;

/**
 * A text of so many characters, counted as JSON Schema does: in code points,
 * where zod would count UTF-16 units.
 */
export function boundedText(min: number, max: number): z.ZodString {
  return z.string()
    .refine((text) => isWithin(text, min, max), {
      error: `must have ${min} to ${max} characters`,
    })
    .meta({ minLength: min, maxLength: max });
}

function isWithin(text: string, min: number, max: number): boolean {
  // Twice as many units as that are too many code points, whatever they are.
  if (text.length < min || text.length > 2 * max) return false;
  const count = [...text].length;
  return count >= min && count <= max;
}

/**
 * A text that is judged further in, in words of its own. Its length is looked
 * at there before anything else is; here it is said, for schemas that are
 * published. Decision 0187 says why.
 *
 * @param max in code points, as it is kept
 */
export function judgedText(
  max: number,
  message = "must be a string",
): z.ZodString {
  return z.string(message).meta({ maxLength: max });
}

/** A text that a person writes about what is done: trimmed, and not empty. */
export function requiredText(max: number): z.ZodString {
  return z.string().trim().min(1, "must not be empty")
    .max(max, `must have at most ${max} characters`);
}
