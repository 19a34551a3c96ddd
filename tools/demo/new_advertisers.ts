import type { DemoAdvertiser } from "./advertiser.ts";

/** People who have only begun: something is still missing before a first bid. */
export const NEW_ADVERTISERS: readonly DemoAdvertiser[] = [
  {
    email: "liga@kirsu-darzs.example.com",
    site: "https://www.kirsu-darzs.example.com",
    company: {
      name: "Ķiršu Dārzs SIA",
      country: "LV",
      vatId: "LV40990000017",
      address: {
        line1: "Rīgas iela 47",
        city: "Cēsis",
        postalCode: "LV-4101",
      },
    },
    vatStatus: "valid",
    identityStatus: "unverified",
    testCard: null,
    lastBidDaysAgo: null,
    ads: [
      {
        headline: "Cherry jam with whole cherries, mostly",
        description:
          "Seventy fruits to a jar and a little sugar. Ķiršu ievārījums from " +
          "our own orchard near Cēsis.",
        path: "/ievarijums",
        state: "draft",
      },
    ],
  },
  {
    email: "niamh@tolka-bakery.example.com",
    site: "https://www.tolka-bakery.example.com",
    company: {
      name: "Tolka Bakery Ltd",
      country: "IE",
      vatId: "IE9900301WH",
      address: {
        line1: "12 Botanic Road",
        city: "Dublin",
        postalCode: "D09 W2H6",
      },
    },
    vatStatus: "unverified",
    identityStatus: "verified",
    testCard: null,
    lastBidDaysAgo: null,
    ads: [
      {
        headline: "Sourdough by post that arrives still proud",
        description:
          "Baked at four, on the van at six, on your table tomorrow. The " +
          "crust needs five minutes in a hot oven.",
        path: "/post",
        state: "draft",
      },
    ],
  },
  {
    email: "elsa@skargardsljud.example.com",
    site: "https://www.skargardsljud.example.com",
    company: null,
    vatStatus: "unverified",
    identityStatus: "unverified",
    testCard: null,
    lastBidDaysAgo: null,
    ads: [],
  },
];
