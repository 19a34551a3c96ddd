import { z } from "zod";
import type { Copy } from "../../domain/creatives/creative.ts";
import {
  COPY_FIELDS,
  type FieldProblem,
  fieldProblems,
} from "../../domain/creatives/creative_refusal.ts";
import {
  DESCRIPTION,
  HEADLINE,
  readCopy,
} from "../../domain/creatives/read_copy.ts";
import { TARGET_URL_MAX } from "../../domain/creatives/target_url.ts";
import type { Json } from "../../domain/idempotency/canonical_json.ts";
import { AD_ID_SHAPE } from "../../domain/limits.ts";
import { refuse } from "../../domain/refusal.ts";
import { ID_MAX, judgedText } from "../http/bounded_text.ts";

const AD_ID_WANTED = "must be 1 to 64 letters, digits, underscores and hyphens";

/** The id of a creative, where another text is no id at all. */
export const adIdText: z.ZodString = z.string()
  .regex(AD_ID_SHAPE, AD_ID_WANTED).max(ID_MAX, AD_ID_WANTED);

/**
 * The members of a creative's copy. Texts are judged by `readCopy()`, which
 * names each problem; the bounds here are said, for schemas that are published.
 */
const copyMembers = {
  headline: judgedText(HEADLINE.max).describe(
    `The headline: plain text of ${HEADLINE.min} to ${HEADLINE.max} ` +
      "characters (code points) on one line",
  ),
  description: judgedText(DESCRIPTION.max).describe(
    `The description: plain text of ${DESCRIPTION.min} to ` +
      `${DESCRIPTION.max} characters (code points) on one line`,
  ),
  target_url: judgedText(TARGET_URL_MAX).describe(
    "The address the advertisement leads to: https, a public host, at most " +
      `${TARGET_URL_MAX} characters`,
  ),
};

/** The body of POST /v1/agent/creatives. */
export const createCreativeBody = z.strictObject(copyMembers);

/** The body of PATCH /v1/agent/creatives/{ad_id}: one member at least. */
export const updateCreativeBody = z.strictObject({
  headline: copyMembers.headline.optional(),
  description: copyMembers.description.optional(),
  target_url: copyMembers.target_url.optional(),
}).refine(
  (body) => Object.values(body).some((value) => value !== undefined),
  "must name headline, description or target_url",
);

/**
 * Reads the body of a new creative.
 *
 * @throws {Refused} `creative_refused` for JSON of another shape
 */
export function parseCreateBody(body: Json): Copy {
  const data = parse(createCreativeBody, body);
  const { headline, description, target_url: targetUrl } = data;
  return { headline, description, targetUrl };
}

/**
 * Reads what is to be changed of a creative.
 *
 * @throws {Refused} `creative_refused` for JSON of another shape
 */
export function parseUpdateBody(body: Json): Partial<Copy> {
  const { headline, description, target_url } = parse(updateCreativeBody, body);
  return {
    ...headline !== undefined && { headline },
    ...description !== undefined && { description },
    ...target_url !== undefined && { targetUrl: target_url },
  };
}

function parse<T>(schema: z.ZodType<T>, body: Json): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const ofShape = parsed.error.issues.flatMap((issue) =>
    problemsOf(issue, body)
  );
  const problems = [...ofShape, ...problemsOfTexts(body)];
  refuse({ code: "creative_refused", why: { kind: "bad_copy", problems } });
}

/** Of the texts that a body of another shape has all the same. */
function problemsOfTexts(body: Json): FieldProblem[] {
  const given = new Map(
    typeof body === "object" && body !== null ? Object.entries(body) : [],
  );
  const textOf = (part: keyof Copy): string | null => {
    const value = given.get(COPY_FIELDS[part]);
    return typeof value === "string" ? value : null;
  };
  const reading = readCopy({
    headline: textOf("headline") ?? "",
    description: textOf("description") ?? "",
    targetUrl: textOf("targetUrl") ?? "",
  });
  if (reading.ok) return [];
  return fieldProblems(reading.problems).filter(({ field }) =>
    typeof given.get(field) === "string"
  );
}

/** Names the members that are wrong; at most a few unknown ones are listed. */
function problemsOf(issue: z.core.$ZodIssue, body: Json): FieldProblem[] {
  if (issue.code === "unrecognized_keys") {
    const members = Object.values(COPY_FIELDS).join(", ");
    return issue.keys.slice(0, 5).map((key) => ({
      field: key.slice(0, 64),
      code: "unknown_member",
      message: `The body has no members besides ${members}.`,
    }));
  }
  const [name] = issue.path;
  if (name === undefined) {
    const message = issue.code === "custom"
      ? `The body ${issue.message}.`
      : "The body must be a JSON object.";
    return [{ field: "body", code: "wrong_type", message }];
  }
  const field = String(name);
  const isGiven = body !== null && Object.hasOwn(body as object, field);
  const code = isGiven ? "wrong_type" : "missing";
  return [{ field, code, message: `${field} ${issue.message}.` }];
}
