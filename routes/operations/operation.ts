/**
 * How an operation of the agent API is declared: once, for its route, its tool,
 * its entry in openapi.json and its rows in the documents.
 *
 * @module
 */
import type { z } from "zod";
import type { Answered } from "../../domain/idempotency/answer_once.ts";
import type { Json } from "../../domain/idempotency/canonical_json.ts";
import type { Binding } from "../../domain/idempotency/replay.ts";
import type { BearerGrant, Scope } from "../../domain/oauth/grant.ts";
import type { Services } from "../../domain/ports.ts";
import type { Operation } from "../shapes/operation.ts";
import type { SchemaName } from "../shapes/schemas.ts";
import type { ListQuery } from "../http/list_query.ts";
import type { Effects } from "../mcp/effects.ts";
import type { Method, RouteContext } from "../route_table.ts";
import type { QueryParameter } from "./parameters.ts";

/** What every operation says of itself. */
interface Declared {
  /** Method and path below `/v1/agent`, as contract §7.1 writes them. */
  at: `${Method} /${string}`;
  scope: Scope;
  /** Its name in openapi.json. */
  id: string;
  /** What it does, in one line of openapi.json. */
  summary: string;
  /** What docs/developers.md says of the answer. */
  docs: string;
}

/** What an operation is called as a tool, and what a model is told of it. */
interface Told {
  tool: string;
  title: string;
  description: string;
  /** The argument for what stands in the path: its name and its schema. */
  argument?: readonly [name: string, schema: z.ZodType<string>];
  /** The shape of the answer. */
  schema: SchemaName;
  /** What the tool answers, where its schema is not that of the request. */
  output?: z.ZodType;
}

/** What a request or a call asks for, once it has been read. */
interface Asked {
  grant: BearerGrant;
  /** What stands in the path, as it was sent; empty where nothing does. */
  id: string;
}

/** The members of a query by their names. */
export type QueryShape = Readonly<Record<string, QueryParameter<unknown>>>;

/** What was read of a query; what may be left out is undefined then. */
export type QueryOf<Shape extends QueryShape> = {
  [Name in keyof Shape]: Shape[Name] extends QueryParameter<infer Value> ? Value
    : never;
};

/** The part that is asked for of what is no list. */
export const WHOLE: ListQuery = { limit: 1, after: null };

/** What is asked of an operation that reads. */
export interface AskedToRead<Query> extends Asked {
  query: Query;
  /** The part of the list that is asked for. */
  page: ListQuery;
  attendance: Attendance;
  /**
   * What the addresses of documents in the answer begin with: only those that
   * the token of who asks can open.
   */
  documentsAt: string;
}

/** The request behind a reading, for one that waits before it answers. */
export interface Attendance {
  /** Settled once the request is let through. */
  admitted: Promise<unknown>;
  /** Judges again whether who asks still may. @throws when not */
  stillMay(): Promise<unknown>;
  /** Aborted when the client has gone. */
  gone: AbortSignal;
}

/** An operation that changes nothing. */
export interface Reading<
  Shape extends QueryShape = QueryShape,
  Value = unknown,
> extends Declared, Told {
  kind: "reading";
  /** How the sentence of a refused query begins. */
  action: string;
  query: Shape;
  /** What the positions behind a list's cursors look like; null for no list. */
  positions: RegExp | null;
  /** It may wait for something to happen: only what it asks of the store takes turns. */
  waits?: true;
  /** The same as a table, for `Accept: text/csv`; null where there is none. */
  csv: ((value: Value) => string) | null;
  read(
    services: Services,
    asked: AskedToRead<QueryOf<Shape>>,
  ): Value | Promise<Value>;
}

/** The JSON body of a change. */
export interface ChangeBody<Body> {
  schema: SchemaName;
  /** Its members as arguments of a tool. */
  arguments: z.ZodRawShape;
  /** @throws {Refused} for JSON of another shape */
  parse(said: Json): Body;
  /** What a key is bound to; the JSON as it came when left out. */
  bound?(body: Body): Json;
}

/** What is asked of an operation that changes something. */
export interface AskedToChange<Body> extends Asked {
  body: Body;
  /** The widest network of who asks; null in a rehearsal. */
  network: string | null;
  /** What a repeat is known by; null for a request without a key. */
  binding: Binding | null;
  /** Settled once the request is let through: nothing changes before. */
  admitted: Promise<unknown>;
}

/** An operation that changes something, once a key. */
export interface Change<Body = unknown> extends Declared, Told {
  kind: "change";
  /** Further answers, and failures of another shape, in openapi.json. */
  answers?: Operation["answers"];
  effects: Effects;
  key: "required" | "optional";
  /** Its answer is a secret, which is stored sealed for a repeat. */
  isAnswerSecret: boolean;
  /** Null for a change that says nothing but its path. */
  body: ChangeBody<Body> | null;
  /**
   * The query under which the same path shows what was changed, where the
   * answer itself does not.
   */
  readBack?: (body: Body) => string;
  /** A bid is one commit, whose reads may begin before the request is let through. */
  isBid: boolean;
  change(
    services: Services,
    asked: AskedToChange<Body>,
  ): Promise<Answered<unknown>>;
}

/**
 * A document: no tool answers it. The tool server has it as a resource, since
 * a token for that server opens no address of the API (RFC 8707).
 */
export interface Download extends Declared {
  kind: "download";
  title: string;
  mimeType: "application/json" | "application/pdf";
  answers: Operation["answers"];
  /** Its bytes, by what stands in the path, once the request is let through. */
  document(
    services: Services,
    grant: BearerGrant,
    path: Readonly<Record<string, string>>,
  ): Promise<Uint8Array<ArrayBuffer>>;
  send(
    services: Services,
    grant: BearerGrant,
    context: RouteContext,
  ): Promise<Response>;
  /** Whether it is a copy of the account's data: few are read at once. */
  isCopy?: boolean;
}

/** An operation of the agent API. */
export type AgentOperation = Reading | Change | Download;

/** What a reading may leave out when it is declared. */
type ReadingDefaults = "action" | "positions" | "csv";

/** Declares an operation that reads. */
export function reading<Value, Shape extends QueryShape = Record<never, never>>(
  declared:
    & Omit<Reading<Shape, Value>, ReadingDefaults | "kind" | "query">
    & Partial<Pick<Reading<Shape, Value>, ReadingDefaults>>
    & { query?: Shape },
): Reading {
  const defaults = { action: "", query: {}, positions: null, csv: null };
  // Whoever calls it has read the query by the shape beside it.
  return { ...defaults, ...declared, kind: "reading" } as unknown as Reading;
}

/** What a change may leave out when it is declared. */
type ChangeDefaults = "key" | "isAnswerSecret" | "isBid";

/** Declares an operation that changes something. */
export function change<Body = null>(
  declared:
    & Omit<Change<Body>, ChangeDefaults | "kind" | "body">
    & Partial<Pick<Change<Body>, ChangeDefaults>>
    & { body?: ChangeBody<Body> },
): Change {
  const defaults = {
    key: "optional",
    isAnswerSecret: false,
    body: null,
    isBid: false,
  };
  // Whoever calls it has parsed the body by the parser beside it.
  return { ...defaults, ...declared, kind: "change" } as unknown as Change;
}

/** Declares a document that is downloaded. */
export function download(declared: Omit<Download, "kind">): Download {
  return { ...declared, kind: "download" };
}

/** Where the agent API begins on `{auth_url}`. */
export const AGENT_PREFIX = "/v1/agent";

/** What addresses of the tool server's resources begin with, before a slash. */
export const RESOURCE_PREFIX = "spotlight:/";

/** Method and path of an operation, `{auth_url}` left out. */
export function placeOf(
  { at }: Pick<Declared, "at">,
): { method: Method; path: string } {
  const [method, below] = at.split(" ") as [Method, string];
  return { method, path: AGENT_PREFIX + below };
}

/** The path as openapi.json has it, where ids are called id. */
export function templateOf(operation: Pick<Declared, "at">): string {
  return placeOf(operation).path.replaceAll(/\{\w+_id\}/g, "{id}");
}

/** The same as a pattern of routes. */
export function routePathOf(operation: Pick<Declared, "at">): string {
  return templateOf(operation).replaceAll(/\{(\w+)\}/g, ":$1");
}
