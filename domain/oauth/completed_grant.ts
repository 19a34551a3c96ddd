import type { Grant, Line, RefreshLine } from "./grant.ts";
import { RESOURCES } from "./resource.ts";

/** What rows lack that were written before it was thought of. */
type AddedSince =
  | "client"
  | "resources"
  | "lines"
  | "refresh"
  | "lastUsedAtMs"
  | "revokedReason";

/** A grant as any version has written it: at first it had one line. */
export type GrantAsWritten =
  & Omit<Grant, AddedSince>
  & Partial<Pick<Grant, AddedSince>>;

/**
 * A grant with all that this version knows of one. The release of one line
 * changes that which it knows and leaves the others; what it changed is taken
 * over. Decision 0256 has the rule for versions side by side.
 */
export function completedGrant(row: GrantAsWritten): Grant {
  const { lines } = row;
  if (lines === undefined) return withOnlyLine(row);
  const grant = row as Grant;
  const { refresh } = grant;
  const at = refresh === null ? -1 : changedAt(lines, refresh);
  const line = lines[at];
  if (line === undefined) return grant;
  return { ...grant, lines: lines.with(at, { ...line, refresh }) };
}

function withOnlyLine(row: GrantAsWritten): Grant {
  const { id, clientId: name, createdAtMs: begunAtMs } = row;
  const { resources = RESOURCES, refresh = null } = row;
  return {
    client: {
      name,
      host: null,
      redirectHost: null,
      authentication: { method: "none" },
    },
    lastUsedAtMs: null,
    revokedReason: null,
    ...row,
    resources,
    refresh,
    lines: [{ id, resources, begunAtMs, refresh }],
  };
}

/** Where the line is that the other release may have moved on, or begun. */
function changedAt(lines: readonly Line[], other: RefreshLine): number {
  const same = lines.findIndex(({ refresh }) =>
    refresh?.lineHash === other.lineHash
  );
  const number = lines[same]?.refresh?.number ?? -Infinity;
  if (same >= 0) return number <= other.number ? same : -1;
  return lines.findLastIndex(({ refresh }) => refresh === null);
}
