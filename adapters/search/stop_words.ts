/**
 * English words that questions are made of and that tell nothing of what is
 * looked for, folded. They are indexed, and left out of queries that have
 * other words.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the this that these those there here it its they them their he she " +
    "his her we us our ours you your yours i me my mine who whom whose which " +
    "what when where why how and or but nor not no if then than so as at by " +
    "for from in into of off on onto out over to up with without about " +
    "between through during per via is are was were be been being am do does " +
    "did done doing has have had having can could may might must shall " +
    "should will would ll re ve don didn doesn isn aren t s let get gets got " +
    "please any some all each every both such only own same too very just " +
    "also ever many much more most want wants need needs happen happens " +
    "something anything thing things tell know like other others another show find look " +
    "looking search mean means meaning last best good great nice exist exists"
  ).split(" "),
);
