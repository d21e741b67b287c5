/** The traffic of a site: half of it pages by their slug, few of them asked for often, beside lists, documents with everything, and searches. */
import { capital, randomNumbers, words } from './content.mjs';

/** So many that rounds do not come to an end of them soon. */
const requests = 100_000;
/** How much more often the first of several is asked for than the next ones (Zipf). */
const exponent = 0.9;
const lastPage = 40;

/** Makes the requests, the same in every run.
 *  @param {import('./contents.mjs').Names} names
 *  @param {{articles: number, documents: readonly string[]}} made the number of articles, and their documentIds
 *  @returns {{paths: string[], samples: string[]}} `samples`: one request of each kind */
export function mixedTraffic({ mix, slug }, { articles, documents }) {
  const random = randomNumbers(13);
  const below = (number) => Math.floor(random() * number);
  const pick = (list) => list[below(list.length)];
  const popular = zipf(articles, random);
  const sorted = 'sort=publishedAt:desc';
  const page = () => {
    let number = 1;
    while (number < Math.min(lastPage, articles / 25) && random() < 0.6) number++;
    return number;
  };
  /** The number of requests of each kind among a hundred. */
  const kinds = [
    [50, () => `/api/articles?filters[slug][$eq]=${slug.value(popular())}&populate[0]=author&populate[1]=cover&populate[2]=category`],
    [20, () => `/api/articles?pagination[page]=${page()}&populate[0]=cover&populate[1]=category&${sorted}`],
    [
      10,
      () =>
        `/api/articles?filters[category][name][$eq]=${pick(mix.categories)}&${sorted}&populate[0]=author&pagination[page]=${1 + below(10)}`,
    ],
    [10, () => `/api/articles/${documents[popular() % documents.length]}?populate=*`],
    [5, () => `/api/articles?filters[title][$containsi]=${capital(pick(words))}%20${pick(words)}&populate[0]=author`],
    [5, () => `/api/categories?filters[name][$ne]=x${below(1000)}&fields[0]=name&populate[parent][fields][0]=name`],
  ];
  const wheel = kinds.flatMap(([share, make]) => Array.from({ length: share }, () => make));
  return { paths: Array.from({ length: requests }, () => pick(wheel)()), samples: kinds.map(([, make]) => make()) };
}

/** Numbers below `count`: a few of them often, and those not side by side in the database. */
function zipf(count, random) {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let number = 0; number < count; number++) {
    sum += 1 / (number + 1) ** exponent;
    sums[number] = sum;
  }
  return () => {
    const at = random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < at) low = middle + 1;
      else high = middle;
    }
    return ((low + 1) * 7919) % count;
  };
}
