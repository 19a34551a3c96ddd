/** Forms that a stemmer, which cuts endings off, does not bring together. */
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  [
    "bought buy",
    "built build",
    "chose choose",
    "chosen choose",
    "children child",
    "drew draw",
    "drawn draw",
    "feet foot",
    "given give",
    "gave give",
    "held hold",
    "kept keep",
    "lost lose",
    "made make",
    "met meet",
    "paid pay",
    "sent send",
    "sold sell",
    "spent spend",
    "taken take",
    "took take",
    "thrown throw",
    "withdrawn withdraw",
    "withdrew withdraw",
    "won win",
    "winner win",
    "written write",
    "wrote write",
  ].map((pair): [string, string] => {
    const [form = "", base = ""] = pair.split(" ");
    return [form, base];
  }),
);
