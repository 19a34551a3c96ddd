import type { DemoAdvertiser } from "./advertiser.ts";

/** Four companies that are ready to bid, each with an agent of its own. */
export const BIDDING_ADVERTISERS: readonly DemoAdvertiser[] = [
  {
    email: "mara@nordlicht-raeder.example.com",
    site: "https://www.nordlicht-raeder.example.com",
    company: {
      name: "Nordlicht Räder GmbH",
      country: "DE",
      vatId: "DE900000080",
      address: {
        line1: "Am Speicher XI 9",
        city: "Bremen",
        postalCode: "28217",
      },
    },
    vatStatus: "valid",
    identityStatus: "verified",
    testCard: "pm_card_visa",
    hasAgent: true,
    lastBidDaysAgo: 1,
    ads: [
      {
        headline: "A commuter bike that shrugs at rain",
        description:
          "Belt drive, hub gears and mudguards that reach far enough. Built " +
          "in Bremen, delivered ready to ride.",
        path: "/pendler",
      },
      {
        headline: "Winter tyres for bicycles, fitted while you wait",
        description:
          "240 studs a tyre hold on black ice. Bring your wheels on any " +
          "weekday before ten and cycle home by noon.",
        path: "/winterreifen",
      },
      {
        headline: "Frames made to your measure in 21 days",
        description:
          "Send us three lengths and a photo on your present bike. We draw " +
          "the frame, you approve it, we weld it.",
        path: "/massrahmen",
      },
      {
        headline: "Kindersitz? Two fit on our cargo bike",
        description:
          "Three-point belts, a roof that folds away and a kickstand a " +
          "parent can trust with a sleeping child.",
        path: "/lastenrad",
      },
    ],
  },
  {
    email: "camille@atelier-brume.example.com",
    site: "https://www.atelier-brume.example.com",
    company: {
      name: "Atelier Brume SARL",
      country: "FR",
      vatId: "FR80990000000",
      address: {
        line1: "14 quai de la Fosse",
        city: "Nantes",
        postalCode: "44000",
      },
    },
    vatStatus: "valid",
    identityStatus: "verified",
    testCard: "pm_card_mastercard",
    hasAgent: true,
    lastBidDaysAgo: 1,
    ads: [
      {
        headline: "Stoneware that keeps your café crème warm",
        description:
          "Thick-walled cups, thrown by hand and glazed in the greys of the " +
          "Atlantic. Each set of four is fired together.",
        path: "/tasses",
      },
      {
        headline: "Bowls with a hidden sea-green inside",
        description:
          "Plain outside, a wave of celadon within. Dishwasher safe, and " +
          "heavy enough to stay put on a boat.",
        path: "/bols",
      },
      {
        headline: "Seconds sale: small flaws, half the price",
        description:
          "Twice a year we sell what is not perfect: a freckle in the glaze, " +
          "a rim a hair too thick. Gone in a weekend.",
        path: "/secondes",
      },
      {
        headline: "Learn to throw a pot in one Saturday",
        description:
          "Six places, six wheels, one patient potter in Nantes. We fire " +
          "your two best pieces and post them to you.",
        path: "/atelier-du-samedi",
      },
    ],
  },
  {
    email: "ines@conservas-mare-alta.example.com",
    site: "https://www.conservas-mare-alta.example.com",
    company: {
      name: "Conservas Maré Alta, Lda.",
      country: "PT",
      vatId: "PT590000080",
      address: {
        line1: "Avenida Luísa Todi 201",
        city: "Setúbal",
        postalCode: "2900-461",
      },
    },
    vatStatus: "valid",
    identityStatus: "verified",
    testCard: "pm_card_visa_debit",
    hasAgent: true,
    lastBidDaysAgo: 1,
    ads: [
      {
        headline: "Sardines that improve with every year",
        description:
          "Vintage tins, packed by hand in July and dated like wine. Turn " +
          "them each season and open them on a good day.",
        path: "/sardinhas",
      },
      {
        headline: "A tin of mackerel, a lemon, supper",
        description:
          "Cavala in olive oil with a strip of piri-piri. The recipe is " +
          "printed on the paper: three lines, ten minutes.",
        path: "/cavala",
      },
      {
        headline: "Monthly box from the quay at Setúbal",
        description:
          "Six tins, one of them always a surprise. Pause whenever you like; " +
          "the sea does too, and then we write to you.",
        path: "/caixa",
      },
      {
        headline: "Octopus, slow-cooked and packed by seven people",
        description:
          "Their initials are on every lid. Polvo à lagareiro for two, with " +
          "garlic and good bread to be found by you.",
        path: "/polvo",
      },
    ],
  },
  {
    email: "ola@zolty-tramwaj.example.com",
    site: "https://www.zolty-tramwaj.example.com",
    company: {
      name: "Żółty Tramwaj sp. z o.o.",
      country: "PL",
      vatId: "PL9990000066",
      address: {
        line1: "ul. Piotrkowska 87",
        city: "Łódź",
        postalCode: "90-423",
      },
    },
    vatStatus: "valid",
    identityStatus: "verified",
    testCard: "pm_card_amex",
    hasAgent: true,
    lastBidDaysAgo: 1,
    ads: [
      {
        headline: "A board game about running late in Łódź",
        description:
          "Change trams, forget the umbrella, still reach the opera in time. " +
          "For two to five players, 40 minutes.",
        path: "/spoznieni",
      },
      {
        headline: "Maps you fold the wrong way, on purpose",
        description:
          "Every crease leads to a café worth finding. Pocket maps of " +
          "eleven Polish cities, drawn by people who live there.",
        path: "/mapy",
      },
      {
        headline: "Puzzles of 1,000 pieces and one tram",
        description:
          "Find it before dinner. Thick recycled board, no two pieces alike, " +
          "and a spare yellow one in every box.",
        path: "/puzzle",
      },
      {
        headline: "Gra na wieczór: a mystery in one envelope",
        description:
          "Twelve letters, one missing violin and no screen. In Polish and " +
          "English, solved by most tables before midnight.",
        path: "/koperta",
      },
    ],
  },
];
