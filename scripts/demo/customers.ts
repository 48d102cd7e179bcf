type Place = {
  country: string;
  /** Number of the 24 customers who live in the country. */
  share: number;
  cities: [name: string, zip: string, region: string | null][];
  streets: string[];
};

const places: Place[] = [
  {
    country: "US",
    share: 10,
    cities: [
      ["Portland", "97205", "OR"],
      ["Austin", "78701", "TX"],
      ["Chicago", "60607", "IL"],
      ["Brooklyn", "11201", "NY"],
    ],
    streets: ["Alder Street", "Juniper Avenue", "Mill Road"],
  },
  {
    country: "GB",
    share: 5,
    cities: [
      ["Bristol", "BS1 5TY", null],
      ["Leeds", "LS2 8JS", null],
    ],
    streets: ["Harbour Row", "Foundry Lane"],
  },
  {
    country: "DE",
    share: 4,
    cities: [
      ["Leipzig", "04109", null],
      ["Hamburg", "20357", null],
    ],
    streets: ["Lindenstraße", "Am Hafen"],
  },
  {
    country: "FR",
    share: 2,
    cities: [
      ["Lyon", "69002", null],
      ["Nantes", "44000", null],
    ],
    streets: ["Rue des Tanneurs", "Quai Sud"],
  },
  { country: "CA", share: 3, cities: [["Montréal", "H2X 1Y4", "QC"]], streets: ["Rue Sherbrooke", "Park Avenue"] },
];

const firstNames = ["Amara", "Ben", "Clara", "Dev", "Elif", "Frida", "Gus", "Hana", "Idris", "June", "Kofi", "Lena"];
const lastNames = ["Okafor", "Lindqvist", "Marlowe", "Tanaka", "Reyes", "Novak", "Whitlock", "Dubois"];

const COUNT = 64;

/** Past customers, as whom nobody signs in. */
export const customers = Array.from({ length: COUNT }, (_, index) => {
  const name = `${pick(firstNames, index)} ${pick(lastNames, index * 5 + Math.floor(index / 12))}`;
  const shelf = places.flatMap((place) => Array.from({ length: place.share }, () => place));
  const place = pick(shelf, index * 7);
  const [city, zip, region] = pick(place.cities, index);
  const address = `${((index * 13) % 90) + 1} ${pick(place.streets, index)}`;
  return {
    name,
    email: `${name.toLowerCase().replace(" ", ".")}.${index + 1}@demo.example`,
    tags: [...(index % 9 === 0 ? ["VIP"] : []), ...(index % 7 === 0 ? ["Workshop guest"] : [])],
    address: { name, address, city, zip, region, country: place.country },
  };
});

function pick<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error("There is nothing to pick from");
  return found;
}
