// Shows what is typed in the preview at once. Text only ever becomes text, and
// the button that asks the server for the preview does the same without this.
const show = (name, text, otherwise) => {
  const place = document.querySelector(`[data-preview=${name}]`);
  if (place !== null) place.textContent = text === "" ? otherwise : text;
};

// An address without its scheme is taken as the server takes it.
const withScheme = (text) => {
  const [host] = text.split(/[/?#]/, 1);
  const isBareHost = host.includes(".") && !/[\s:@\\]/.test(host);
  return isBareHost ? `https://${text}` : text;
};

const hostOf = (text) => {
  const url = URL.parse(withScheme(text));
  return url?.protocol === "https:" ? url.host : "";
};

const follow = (name, change) => {
  const field = document.querySelector(`[name=${name}]`);
  field?.addEventListener("input", () => change(field.value.trim()));
};

follow("headline", (text) => show("headline", text, "Your headline"));
follow(
  "description",
  (text) => show("description", text, "Your description"),
);
follow("target_url", (text) => show("host", hostOf(text), "your page"));
