// Fills the code from the link in the mail into the form. What stands behind
// the # is never sent to a server; giving the code is left to the person.
const code = /^#c=(\d{8})$/.exec(location.hash)?.[1];
const input = document.querySelector("input[name=code]");
if (code !== undefined && input !== null) {
  input.value = code;
  input.form.querySelector("button").focus();
  history.replaceState(null, "", location.pathname);
}
