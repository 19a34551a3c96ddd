import type { Child } from "@hono/hono/jsx";
import type { Html } from "../../pages/html.ts";

/** A form that changes something; the browser sends it with our Origin. */
export function Form(
  props: { action: string; children?: Child; class?: string },
): Html {
  return (
    <form method="post" action={props.action} class={props.class ?? "stacked"}>
      {props.children}
    </form>
  );
}

/** A box to tick, beside what it says. */
export function Tick(
  props: { name: string; value: string; checked: boolean; children?: Child },
): Html {
  const { children, ...input } = props;
  return (
    <label class="tick">
      <input type="checkbox" {...input} />
      <span>{children}</span>
    </label>
  );
}

/** A labelled input, with what it wants and what was wrong with it. */
export interface FieldProps {
  /** Names the value in the form, and with `scope` the element. */
  name: string;
  label: string;
  type?: "text" | "email" | "number" | "date";
  value?: string;
  /** A sentence below the label, read out with it. */
  hint?: string | undefined;
  /** What was wrong, next to the field; null when nothing was. */
  error?: string | null;
  /** Whether it is the field that a note above speaks of. */
  invalid?: boolean;
  autocomplete?: string;
  inputmode?: "numeric" | "decimal" | "email";
  maxlength?: number;
  required?: boolean;
  autofocus?: boolean;
  /** Keeps the element's id apart where a page has the form several times. */
  scope?: string;
}

/** One line of a form. */
export function Field(props: FieldProps): Html {
  const { name, label, hint, error = null, scope, ...input } = props;
  const invalid = input.invalid === true || error !== null;
  const id = scope === undefined ? name : `${name}-${scope}`;
  const described = [
    hint === undefined ? null : `${id}-hint`,
    error === null ? null : `${id}-error`,
  ].filter((part) => part !== null).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && <p class="quiet" id={`${id}-hint`}>{hint}</p>}
      <input
        id={id}
        name={name}
        type={input.type ?? "text"}
        value={input.value ?? ""}
        autocomplete={input.autocomplete ?? "off"}
        inputmode={input.inputmode}
        maxlength={input.maxlength}
        required={input.required ?? false}
        autofocus={input.autofocus ?? false}
        aria-describedby={described === "" ? undefined : described}
        aria-invalid={invalid ? "true" : undefined}
      />
      {error !== null && <p class="error" id={`${id}-error`}>{error}</p>}
    </div>
  );
}

/** A value that the person does not see. */
export function Hidden({ name, value }: { name: string; value: string }): Html {
  return <input type="hidden" name={name} value={value} />;
}

/** What sends a form. */
export function Button(
  props: { children?: Child; kind?: "main" | "plain" | "danger" },
): Html {
  return (
    <button type="submit" class={props.kind ?? "main"}>{props.children}</button>
  );
}

/** What went wrong, said at once to whoever can't see it. */
export function ErrorNote({ children }: { children?: Child }): Html {
  return <p class="note error" role="alert">{children}</p>;
}

/** What went well. */
export function StatusNote({ children }: { children?: Child }): Html {
  return <p class="note" role="status">{children}</p>;
}
