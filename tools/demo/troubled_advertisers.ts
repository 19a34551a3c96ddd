import type { DemoAdvertiser } from "./advertiser.ts";

/** Companies that once could bid and no longer can, or whose card will fail. */
export const TROUBLED_ADVERTISERS: readonly DemoAdvertiser[] = [
  {
    email: "luca@officina-lume.example.com",
    site: "https://www.officina-lume.example.com",
    company: {
      name: "Officina Lume S.r.l.",
      country: "IT",
      vatId: "IT99000000010",
      address: {
        line1: "Via Maria Vittoria 23",
        city: "Torino",
        postalCode: "10123",
      },
    },
    vatStatus: "valid",
    identityStatus: "verified",
    testCard: "pm_card_visa",
    trouble: "suspended",
    lastBidDaysAgo: 9,
    ads: [
      {
        headline: "Lamps that dim the way evenings do",
        description:
          "From white to candlelight over an hour, without an app. One dial, " +
          "brass, made in Torino since 1961.",
        path: "/sera",
      },
      {
        headline: "Repair for any lamp older than you",
        description:
          "We rewire, re-shade and return it safe. Send a photo of the " +
          "switch and of the plug; a quote comes the next day.",
        path: "/riparazioni",
      },
      {
        headline: "A reading light that leaves others asleep",
        description:
          "Eleven degrees of beam, a page and no more. Clips to a bed, a " +
          "book or a very patient cat.",
        path: "/pagina",
      },
    ],
  },
  {
    email: "eleni@ktima-elia.example.com",
    site: "https://www.ktima-elia.example.com",
    company: {
      name: "Κτήμα Ελιά Α.Ε.",
      country: "GR",
      vatId: "EL990000038",
      address: {
        line1: "Αριστομένους 41",
        city: "Καλαμάτα",
        postalCode: "241 00",
      },
    },
    vatStatus: "valid",
    identityStatus: "verified",
    testCard: "pm_card_visa",
    lastBidDaysAgo: 3,
    ads: [
      {
        headline: "Ελαιόλαδο from one valley, one October",
        description:
          "Koroneiki olives, picked by hand and pressed the same night. " +
          "Peppery first, then green almond.",
        path: "/elaiolado",
        state: "archived",
      },
      {
        headline: "Adopt an olive tree above Kalamata",
        description:
          "Your name on a slate, three litres a year at your door and a " +
          "photograph when it flowers.",
        path: "/dentro",
        state: "archived",
      },
      {
        headline: "Soap made from oil we would also eat",
        description:
          "Olive oil, sea salt, nothing else. Cut from the block, stamped " +
          "by hand and dried for ninety days.",
        path: "/sapouni",
        state: "archived",
      },
      {
        headline: "The best olive oil in the whole world, proven",
        description:
          "Doctors agree: one spoon a day and you will never be ill again. " +
          "Order today, the offer ends tonight.",
        path: "/prosfora",
        state: "rejected",
      },
    ],
  },
  {
    email: "javier@sierra-clara.example.com",
    site: "https://www.sierra-clara.example.com",
    company: {
      name: "Sierra Clara S.L.",
      country: "ES",
      vatId: "ESB99000010",
      address: {
        line1: "Carrera del Darro 19",
        city: "Granada",
        postalCode: "18010",
      },
    },
    vatStatus: "valid",
    identityStatus: "verified",
    testCard: null,
    lastBidDaysAgo: 5,
    ads: [
      {
        headline: "Walk across the Sierra, sleep in real beds",
        description:
          "Five days from village to village with a guide, and your bag " +
          "travels by mule or by Manolo's van.",
        path: "/travesia",
      },
      {
        headline: "Stargazing at 2,500 metres, blankets included",
        description:
          "No lamp for twenty kilometres. A small group, a large telescope " +
          "and hot chocolate after midnight.",
        path: "/estrellas",
      },
      {
        headline: "Boots resoled while you eat lunch",
        description:
          "Our cobbler in Granada needs two hours and an honest look at your " +
          "heels. Vibram or leather, you choose.",
        path: "/botas",
      },
    ],
  },
  {
    email: "sanne@grachtwarmte.example.com",
    site: "https://www.grachtwarmte.example.com",
    company: {
      name: "Grachtwarmte B.V.",
      country: "NL",
      vatId: "NL990000059B01",
      address: {
        line1: "Oudegracht 112",
        city: "Utrecht",
        postalCode: "3511 AV",
      },
    },
    vatStatus: "valid",
    identityStatus: "verified",
    testCard: "pm_card_chargeCustomerFail",
    trouble: "card_refused",
    lastBidDaysAgo: 17,
    ads: [
      {
        headline: "Heat your houseboat with the canal below",
        description:
          "A heat pump the size of a suitcase draws warmth from water at " +
          "four degrees. Silent above, invisible below.",
        path: "/warmtepomp",
      },
      {
        headline: "Draughty wheelhouse? We measure for nothing",
        description:
          "One visit with an infrared camera shows where the warmth leaves. " +
          "Keep the pictures, whatever you decide.",
        path: "/meting",
      },
      {
        headline: "Floor heating for floors that float",
        description:
          "Eight millimetres high, laid in a weekend, gentle on old oak. " +
          "Every canal house and most barges suit it.",
        path: "/vloer",
      },
    ],
  },
  {
    email: "petr@vltava-papir.example.com",
    site: "https://www.vltava-papir.example.com",
    company: {
      name: "Vltava Papír s.r.o.",
      country: "CZ",
      vatId: "CZ99000024",
      address: {
        line1: "Náplavní 2011/5",
        city: "Praha",
        postalCode: "120 00",
      },
    },
    vatStatus: "valid",
    identityStatus: "verified",
    testCard: "pm_card_mastercard",
    trouble: "disputes",
    lastBidDaysAgo: 4,
    ads: [
      {
        headline: "Notebooks that open flat on page one",
        description:
          "Sewn, not glued, on paper that takes a fountain pen. Tužka " +
          "included: a pencil hides in the spine.",
        path: "/sesity",
      },
      {
        headline: "Letter paper for people who still write",
        description:
          "Laid paper with a deckle edge, forty sheets and ten envelopes. " +
          "The first stamp is on us.",
        path: "/dopisy",
      },
      {
        headline: "A calendar with room for what matters",
        description:
          "Half a page a day, no holidays of others, no slogans. Bound in " +
          "linen, in a colour you choose.",
        path: "/kalendar",
      },
    ],
  },
  {
    email: "aino@kuura-sauna.example.com",
    site: "https://www.kuura-sauna.example.com",
    company: {
      name: "Kuura Sauna Oy",
      country: "FI",
      vatId: "FI39900073",
      address: {
        line1: "Pispalan valtatie 30",
        city: "Tampere",
        postalCode: "33250",
      },
    },
    vatStatus: "valid",
    identityStatus: "verified",
    testCard: "pm_card_chargeCustomerFail",
    lastBidDaysAgo: null,
    ads: [
      {
        headline: "A sauna stove that forgives wet wood",
        description:
          "Two burn chambers and 90 kilos of stone give soft löyly for " +
          "hours. Welded in Tampere from 6 mm steel.",
        path: "/kiuas",
      },
      {
        headline: "Build your own sauna in nine evenings",
        description:
          "Numbered spruce logs, one drawing, no crane. Two friends and a " +
          "rubber mallet are all you need to bring.",
        path: "/hirsi",
      },
    ],
  },
];
