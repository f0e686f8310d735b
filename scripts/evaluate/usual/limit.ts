import { createRandom, type Random } from '../../../src/simulator/random.ts';
import { ratio } from '../../support/numbers.ts';
import { lognormal, type Shop } from '../waits/simulated-shops.ts';

const WATCHED_MINUTES = 600;
const DAYS = 7;
const WEEKS = 40;
const TRIALS = 300;
const BEFORE = 60;
const FOUND_WITHIN = 20;

/** People of a minute. */
function poisson(random: Random, mean: number): number {
  let [people, left] = [0, Math.exp(-mean)];
  for (let product = random.next(); product > left; product *= random.next()) people += 1;
  return people;
}

/**
 * How many changes the best test finds within 20 minutes that knows the rate, the spread of services and the size of the change, and is wrong
 * once a week: a cumulative sum of the logarithms of the likelihoods of each minute (Page), as nothing finds a known change sooner (Moustakides).
 * Even one change of one number in one direction may use up the whole false notice.
 */
export function limitOf(
  shop: Shop,
  { what, times }: { what: 'arrivals' | 'services'; times: number },
): number {
  const random = createRandom(7, Math.round(times * 10));
  const mean = shop.arrivalsPerHour / 60;
  const spread = spreadOf(shop, random);
  const shift = Math.log(times);
  const minute = (isChanged: boolean): number => {
    const people = poisson(random, mean * (isChanged && what === 'arrivals' ? times : 1));
    if (what === 'arrivals') return people * shift - mean * (times - 1);
    let sum = 0;
    for (let service = 0; service < people; service++) {
      const log = Math.log(lognormal(random, 1, spread)) + (isChanged ? shift : 0);
      sum += (shift * (log - shift / 2)) / spread ** 2;
    }
    return sum;
  };
  const usual = Float64Array.from({ length: WEEKS * DAYS * WATCHED_MINUTES }, () => minute(false));
  const notices = (limit: number) => {
    let [sum, count] = [0, 0];
    for (const one of usual) {
      sum = Math.max(0, sum + one);
      if (sum < limit) continue;
      count += 1;
      sum = 0;
    }
    return count;
  };
  let [low, high] = [0, 20];
  while (high - low > 0.01) {
    const middle = (low + high) / 2;
    if (notices(middle) > WEEKS) low = middle;
    else high = middle;
  }
  let found = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    let sum = 0;
    for (let before = 0; before < BEFORE; before++) sum = Math.max(0, sum + minute(false));
    let isFound = false;
    for (let after = 0; after < FOUND_WITHIN && !isFound; after++) {
      sum = Math.max(0, sum + minute(true));
      isFound = sum >= high;
    }
    if (isFound) found += 1;
  }
  return ratio(100 * found, TRIALS, 0) ?? 0;
}

/** Of the logarithms of the seconds of services. */
function spreadOf(shop: Shop, random: Random): number {
  const logs = Array.from({ length: 2000 }, () =>
    Math.log(shop.service(random) * lognormal(random, 1, 0.15)),
  );
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  return Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length);
}
