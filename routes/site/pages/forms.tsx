import type { Child } from "@hono/hono/jsx";
import type { Html } from "../../pages/html.ts";
import { useFormOwner } from "../../pages/layout.tsx";

/** The field that says to which account a form was shown. */
export const FORM_OWNER = "shown_to";

/**
 * A form that changes something; the browser sends it with our Origin. On a page
 * of an account it says whose it is, since another may be signed in when it is sent.
 */
export function Form(
  props: {
    action: string;
    children?: Child;
    class?: string;
    /** Whose it is where that is not whose page it is. */
    owner?: string | null;
  },
): Html {
  const shownTo = useFormOwner();
  const owner = props.owner ?? shownTo;
  return (
    <form method="post" action={props.action} class={props.class ?? "stacked"}>
      {owner !== null && <Hidden name={FORM_OWNER} value={owner} />}
      {props.children}
    </form>
  );
}

/** A box to tick, beside what it says, and what was wrong with it. */
export function Tick(
  { error = null, children, ...input }: {
    name: string;
    value: string;
    checked: boolean;
    /** What was wrong; the only box of its name has its name as id then. */
    error?: string | null;
    children?: Child;
  },
): Html {
  const { name } = input;
  const faulty = error !== null && {
    id: name,
    "aria-describedby": `${name}-error`,
    "aria-invalid": "true",
  } as const;
  const box = (
    <label class="tick">
      <input type="checkbox" {...faulty} {...input} />
      <span>{children}</span>
    </label>
  );
  if (error === null) return box;
  return (
    <div class="field">
      {box}
      <p class="error" id={`${name}-error`}>{error}</p>
    </div>
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
  error?: Child | null;
  autocomplete?: string;
  inputmode?: "numeric" | "decimal" | "email" | "url";
  maxlength?: number;
  /**
   * The most characters it may have, as people count them: `counter.js` says
   * how many there are. Browsers count some twice, so that they are let type
   * twice as many: none that may be sent is kept from being typed.
   */
  counted?: number;
  required?: boolean;
  autofocus?: boolean;
  /** Keeps the element's id apart where a page has the form several times. */
  scope?: string;
}

/** How an element of a form is named, and told what was said of it. */
interface Described {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": "true" | undefined;
}

/** A label, what is wanted, the element itself, and what was wrong with it. */
function Labelled(
  { name, label, hint, error = null, scope, element }:
    & {
      element: (described: Described) => Html;
    }
    & Pick<FieldProps, "name" | "label" | "hint" | "error" | "scope">,
): Html {
  const id = scope === undefined ? name : `${name}-${scope}`;
  const described = [
    ...hint ? [`${id}-hint`] : [],
    ...error === null ? [] : [`${id}-error`],
  ].join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && <p class="quiet" id={`${id}-hint`}>{hint}</p>}
      {element({
        id,
        "aria-describedby": described === "" ? undefined : described,
        "aria-invalid": error === null ? undefined : "true",
      })}
      {error !== null && <p class="error" id={`${id}-error`}>{error}</p>}
    </div>
  );
}

/** What a browser, and our script, hold a text to. */
function limitsOf(
  { maxlength, counted, required }: Pick<
    FieldProps,
    "maxlength" | "counted" | "required"
  >,
) {
  return {
    maxlength: counted === undefined ? maxlength : 2 * counted,
    "data-counted": counted,
    required: required ?? false,
  };
}

/** One line of a form. */
export function Field(props: FieldProps): Html {
  return (
    <Labelled
      {...props}
      element={(described) => (
        <input
          {...described}
          name={props.name}
          type={props.type ?? "text"}
          value={props.value ?? ""}
          autocomplete={props.autocomplete ?? "off"}
          inputmode={props.inputmode}
          {...limitsOf(props)}
          autofocus={props.autofocus ?? false}
        />
      )}
    />
  );
}

/** A field for a text that may be longer than a line. */
export function TextArea(
  { value, rows = 3, ...props }:
    & Pick<
      FieldProps,
      "name" | "label" | "error" | "scope" | "counted" | "required"
    >
    & { hint: string; value: string; rows?: number },
): Html {
  return (
    <Labelled
      {...props}
      element={(described) => (
        <textarea
          {...described}
          name={props.name}
          rows={rows}
          {...limitsOf(props)}
          autocomplete="off"
        >
          {/* Browsers drop the first line break, so one is put before any. */}
          {`\n${value}`}
        </textarea>
      )}
    />
  );
}

/** A choice of the options given. */
export function Select(
  { autocomplete, children, ...props }:
    & Pick<
      FieldProps,
      "name" | "label" | "hint" | "error" | "autocomplete" | "required"
    >
    & { children?: Child },
): Html {
  return (
    <Labelled
      {...props}
      element={(described) => (
        <select
          {...described}
          name={props.name}
          autocomplete={autocomplete}
          required={props.required ?? false}
        >
          {children}
        </select>
      )}
    />
  );
}

/** A value that the person does not see. */
export function Hidden({ name, value }: { name: string; value: string }): Html {
  return <input type="hidden" name={name} value={value} />;
}

/** What sends a form. */
export function Button(
  props: {
    children?: Child;
    kind?: "main" | "plain" | "danger";
    autofocus?: boolean;
  },
): Html {
  return (
    <button
      type="submit"
      class={props.kind ?? "main"}
      autofocus={props.autofocus ?? false}
    >
      {props.children}
    </button>
  );
}

/**
 * What is wrong with a form: where each field is on the page, and a sentence; its
 * name is said before that where the sentence would not tell which it is.
 */
export type Faults = readonly (readonly [
  id: string,
  says: Child,
  label?: string | undefined,
])[];

/**
 * Where each field is that something is wrong with.
 *
 * @param ids of the fields, by what the errors call them, as they come in the form
 * @param labels of those whose sentences do not tell which they are of
 */
export function faultsOf<Name extends string>(
  errors: Readonly<Partial<Record<Name, Child>>>,
  ids: Readonly<Record<Name, string>>,
  labels?: Readonly<Partial<Record<Name, string>>>,
): Faults {
  const names = Object.keys(ids) as Name[];
  return names.flatMap((name) => {
    const says = errors[name];
    return says === undefined
      ? []
      : [[ids[name], says, labels?.[name]] as const];
  });
}

/**
 * What went wrong, and the way to each field that it is about. It has the focus
 * once the page is there, so that it is read out and Tab goes on from it.
 */
export function ErrorNote(
  { faults = [], children }: { faults?: Faults; children?: Child },
): Html {
  const focused = { role: "alert", tabindex: -1, autofocus: true } as const;
  if (faults.length === 0) {
    return <p class="note error" {...focused}>{children}</p>;
  }
  return (
    <div class="note error" {...focused}>
      {children && <p>{children}</p>}
      <ul>
        {faults.map(([id, says, label]) => (
          <li>
            <a href={`#${id}`}>{label && `${label}: `}{says}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What went well. */
export function StatusNote({ children }: { children?: Child }): Html {
  return <p class="note" role="status">{children}</p>;
}
