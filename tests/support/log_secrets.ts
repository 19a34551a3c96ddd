/**
 * What never stands in a log, by the looks of it: tokens, codes, verifiers,
 * cookies, mail addresses, the query of an address, and what pays.
 */
const SHAPES: readonly (readonly [kind: string, shape: RegExp])[] = [
  ["access token", /svc_at_[\w-]+/g],
  ["refresh token", /svc_rt_[\w-]+/g],
  ["authorization code", /svc_ac_[\w-]+/g],
  [
    "cookie",
    /svc_(?:sess|sess_preview|sign_in|sign_in_preview|device|device_preview)=[^\s"';,]*/g,
  ],
  ["verifier", /code_verifier[\\"']*\s*[:=]\s*[\\"']*[\w.~-]+/g],
  ["assertion", /client_assertion[\\"']*\s*[:=]\s*[\\"']*[\w.-]+/g],
  // With what an agent asks for the readiness of a bid is no secret of its own.
  [
    "redirect",
    /https?:\/\/[^\s"'<>?]*\?(?!\[query\]|day=\d[\d-]*&ad_id=)[^\s"'<>]+/g,
  ],
  ["redirect", /[?&](?:code|state)=[^\s"'&]*/g],
  ["payment token", /\bspt_[A-Za-z0-9]+/g],
  ["payment credential", /\bPayment\s+(?=[\w.~+/-]*[\d_=])[\w.~+/=-]{8,}/g],
  ["payment receipt", /payment-receipt[\\"']*\s*[:=]\s*[\\"']*[\w.=-]+/gi],
  [
    "authorization",
    /\bauthorization[\\"']*\s*[:=]\s*[\\"']*(?!\w+ \[token\])\w+ [^\s"']+/gi,
  ],
  ["authorization", /\b(?:Bearer|Basic)\s+[\w.~+/-]{16,}=*/gi],
  ["key of the processor", /\b(?:sk|rk|whsec)_[A-Za-z0-9_]{6,}/g],
  ["signed text", /\beyJ[\w-]{10,}/g],
  ["secret", /(?<![\w-])[\w-]{43}(?![\w-])/g],
  [
    "mail address",
    /[^\s@"'<>\\]+(?:@|%40)[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}/gu,
  ],
];

/** A secret that a test knows, and what it is. */
export type KnownSecret = readonly [kind: string, text: string];

/**
 * What a captured log tells that it must not, by shape or because the test
 * knows it: the kind, and the line with everything secret in it masked.
 */
export function leaksIn(
  logged: string,
  known: readonly KnownSecret[] = [],
): string[] {
  // Most secrets stand nowhere: look at lines only for those that do.
  const present = presentIn(logged, known);
  return logged.split("\n").flatMap((line) => leakIn(line, present));
}

/** How many secrets are looked for one after the other. */
const FEW = 16;
/** Letters by which the others are found: as many as the shortest secret has. */
const BEGINNING = 8;

/**
 * The secrets that stand in a text. A test may know thousands and log megabytes,
 * so the text is gone through once, for how they begin, instead of once for each.
 */
function presentIn(
  logged: string,
  known: readonly KnownSecret[],
): readonly KnownSecret[] {
  const begins = known.length > FEW ? beginningsIn(logged, known) : null;
  return known.filter(([, text]) =>
    (begins?.has(text.slice(0, BEGINNING)) ?? true) && holds(logged, text)
  );
}

/** Those of the secrets' beginnings that stand in a text. */
function beginningsIn(
  logged: string,
  known: readonly KnownSecret[],
): ReadonlySet<string> {
  const wanted = new Set(known.map(([, text]) => text.slice(0, BEGINNING)));
  const found = new Set<string>();
  for (const length of new Set(wanted.values().map(({ length }) => length))) {
    for (let at = 0; at + length <= logged.length; at++) {
      const here = logged.slice(at, at + length);
      if (wanted.has(here)) found.add(here);
    }
  }
  return found;
}

function leakIn(line: string, known: readonly KnownSecret[]): string[] {
  const kinds = new Set<string>();
  let masked = line;
  for (const [kind, text] of known) {
    if (!holds(masked, text)) continue;
    kinds.add(kind);
    masked = masked.replaceAll(text, `[${kind}]`);
  }
  for (const [kind, shape] of SHAPES) {
    masked = masked.replace(shape, () => {
      kinds.add(kind);
      return `[${kind}]`;
    });
  }
  return kinds.size === 0 ? [] : [`${[...kinds].join(", ")}: ${masked}`];
}

/** Whether a secret stands in a text; digits in a longer number do not. */
export function holds(text: string, secret: string): boolean {
  if (!text.includes(secret)) return false;
  return !/^\d+$/.test(secret) ||
    new RegExp(`(?<!\\d)${secret}(?!\\d)`).test(text);
}
