/**
 * What passes between the endpoint, its servers and their tools.
 *
 * @module
 */
import type { AuthInfo } from "@modelcontextprotocol/server";
import type { Scope } from "../../domain/oauth/grant.ts";
import type { BodySource } from "../http/body.ts";
import type { Effects } from "./effects.ts";
import type { SurfaceAnswers } from "../route_table.ts";
import type { ToolSchema } from "./prepared_schema.ts";

/** `modern` is 2026-07-28, `legacy` all before it. */
export type Era = "modern" | "legacy";

/** The request that a server is built for. */
export interface Served<Caller> {
  era: Era;
  /** What is asked, such as `tools/call`; null for a batch and for nonsense. */
  method: string | null;
  /** The tool or prompt that is asked for. */
  name: string | null;
  /** Who asks, as the surface knows them. */
  caller: Caller;
  /** By which the log names the request. */
  requestId: string;
}

/** What the surface knows of a request. */
export interface Ask<Caller> {
  caller: Caller;
  requestId: string;
  /** What the request's body is read of. */
  source: BodySource;
  /** The checked token, for tools that ask for scopes. */
  authInfo?: AuthInfo;
}

/** Who calls a tool, and what ends the call. */
export interface ToolCall<Caller> {
  caller: Caller;
  requestId: string;
  /** Aborted when the client has gone or the call has taken too long. */
  signal: AbortSignal;
  /** Told when what is answered was written before, for the same key. */
  onReplay?(): void;
}

/** The scopes that a call takes, which may depend on its arguments. */
export type ScopesTaken = (given: unknown) => readonly Scope[];

/** A declared tool, whatever it takes and gives. */
export interface Tool<Caller> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Effects;
  /**
   * What the grant has to hold, which may depend on the arguments; null where
   * nobody has to say who they are.
   */
  readonly scope: Scope | ScopesTaken | null;
  readonly input: ToolSchema;
  readonly output: ToolSchema;
  /** It changes made-up records alone, so nobody has to allow it. */
  readonly isPractice?: true;
  /** Its problems, where they are not those of the surface beside its server. */
  readonly answers?: SurfaceAnswers;
  /** Who the text is for and how much it weighs, as for untrusted copy. */
  readonly content?: { audience: ("user" | "assistant")[]; priority: number };
  handle(input: unknown, call: ToolCall<Caller>): unknown;
}
