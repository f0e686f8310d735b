import type { Command } from 'commander';
import { createRandom } from '../../../src/simulator/random.ts';
import { addUp, ratio, shown } from '../../support/numbers.ts';
import { count } from '../../support/options.ts';
import { printing } from '../../support/printing.ts';
import { table } from '../../support/terminal.ts';
import { evaluation, seedsOption } from '../options.ts';
import { arrivalsOf, expectedOf, SHOPS, type Shop } from '../waits/simulated-shops.ts';
import { Learned, type Spent } from './follow-advice.ts';
import { followRule, type LineRule, lineRules } from './line-rule.ts';
import { playStaffedDay, type StaffedDay, type Staffing } from './staffed-day.ts';

const LEARN_DAYS = 7;

/** Shops with several tills, and how long people may wait there. */
const STAFFED: Readonly<Record<string, { readonly shop: Shop; readonly waitSeconds: number }>> = {
  'two-tills': { shop: SHOPS['two-tills'], waitSeconds: 180 },
  bank: { shop: SHOPS.bank, waitSeconds: 300 },
  canteen: { shop: SHOPS.canteen, waitSeconds: 180 },
  supermarket: { shop: SHOPS.supermarket, waitSeconds: 180 },
};

interface AdviceOptions {
  readonly days: number;
  readonly seeds: readonly number[];
  readonly tuneSeeds: readonly number[];
  readonly shops: readonly string[];
  readonly share: number;
  readonly every: number;
}

export const adviceCommand = (): Command =>
  evaluation(
    'advice',
    'Compares the advice to open tills with the best rule on the length of the line, in made-up shops.',
  )
    .addOption(seedsOption([11, 12]))
    .option(
      '--tune-seeds <n,…>',
      'seeds on which the rule is chosen',
      (text) => text.split(',').map(count(0)),
      [1, 2],
    )
    .option('--days <days>', `days that are judged, after ${LEARN_DAYS} that are learned`, count(1, 100), 7)
    .option('--shops <names>', 'kinds of shops', (text) => text.split(','), Object.keys(STAFFED))
    .option(
      '--share <percent>',
      'people who are to be served in time, percent',
      (text) => count(1, 99)(text) / 100,
      0.9,
    )
    .option('--every <seconds>', 'how often there is advice', count(5, 900), 60)
    .action(printing(judge, textOf));

const SUMS = [
  'tillHours',
  'joined',
  'late',
  'gaveUp',
  'openings',
] as const satisfies readonly (keyof StaffedDay)[];
type Figures = StaffedDay & { readonly lateOrGaveUp: number };

function judge({ shops, seeds, tuneSeeds, ...options }: AdviceOptions) {
  return Object.fromEntries(
    shops.map((name) => {
      if (!STAFFED[name])
        throw new Error(`There are the shops ${Object.keys(STAFFED).join(', ')}, not ${name}.`);
      return [name, judgeShop(name, { ...options, seeds, tuneSeeds })];
    }),
  );
}

/**
 * The rule is chosen where the advice is judged not: on the tuning seeds, as the one with the fewest till hours of those that serve as
 * well as the advice, and as the one that serves best of those with as few till hours.
 */
function judgeShop(name: string, { seeds, tuneSeeds, ...options }: Omit<AdviceOptions, 'shops'>) {
  const tuned = new Shops(name, tuneSeeds, options);
  const reported = new Shops(name, seeds, options);
  const onTuned = tuned.followAdvice();
  const rules = lineRules(tuned.shop.tills).map((rule) => ({ rule, ...tuned.play(() => followRule(rule)) }));
  const best = (fits: (figures: Figures) => boolean, by: 'tillHours' | 'lateOrGaveUp') =>
    rules
      .filter(fits)
      .reduce<(typeof rules)[number] | null>((a, b) => (a === null || b[by] < a[by] ? b : a), null);
  const shown = (chosen: { readonly rule: LineRule } | null) =>
    chosen && { rule: chosen.rule, ...reported.play(() => followRule(chosen.rule)) };
  const advice = reported.followAdvice();
  const limit = reported.followAdvice(true);
  const allOpen = reported.play(() => () => reported.shop.tills);
  const equalService = shown(best(({ lateOrGaveUp }) => lateOrGaveUp <= onTuned.lateOrGaveUp, 'tillHours'));
  const equalHours = shown(best(({ tillHours }) => tillHours <= onTuned.tillHours, 'lateOrGaveUp'));
  return {
    ...{ advice, limit, allOpen, equalService, equalHours },
    fewerTillHours: less(advice.tillHours, equalService?.tillHours),
    fewerLate: less(advice.lateOrGaveUp, equalHours?.lateOrGaveUp),
    fewerOpenings: less(advice.openings, equalService?.openings),
    fewerOpeningsAtEqualHours: less(advice.openings, equalHours?.openings),
    cpuMsOfAdvice: ratio(reported.spent.ms, reported.spent.looks, 1),
  };
}

/** By how many percent; below 0: more. */
const less = (ours: number, theirs: number | undefined): number | null =>
  theirs ? ratio(100 * (theirs - ours), theirs, 1) : null;

class Shops {
  readonly shop: Shop;
  readonly spent: Spent = { ms: 0, looks: 0 };
  readonly #name: string;
  readonly #seeds: readonly number[];
  readonly #options: Pick<AdviceOptions, 'days' | 'share' | 'every'>;

  constructor(
    name: string,
    seeds: readonly number[],
    options: Pick<AdviceOptions, 'days' | 'share' | 'every'>,
  ) {
    this.shop = STAFFED[name]!.shop;
    this.#name = name;
    this.#seeds = seeds;
    this.#options = options;
  }

  #random = (seed: number, day: number) =>
    createRandom(seed, Object.keys(STAFFED).indexOf(this.#name) + 10, day);

  #people(seed: number, day: number) {
    const random = this.#random(seed, day);
    return { people: arrivalsOf(this.shop, day, random), random };
  }

  play(staffing: (seed: number, day: number) => Staffing): Figures {
    const days = this.#seeds.flatMap((seed) =>
      Array.from({ length: this.#options.days }, (_, at) => {
        const day = LEARN_DAYS + at;
        const { people, random } = this.#people(seed, day);
        return playStaffedDay(
          this.shop,
          people,
          random,
          STAFFED[this.#name]!.waitSeconds,
          staffing(seed, day),
        );
      }),
    );
    const sums = addUp(SUMS, days);
    return { ...sums, lateOrGaveUp: sums.late + sums.gaveUp };
  }

  /** @param isLimit knows how many people are to be expected */
  followAdvice(isLimit = false): Figures {
    const { share, every: everySeconds } = this.#options;
    const learned = new Map(
      this.#seeds.map((seed) => {
        const known = new Learned();
        for (let day = 0; day < LEARN_DAYS; day++) known.learn(this.#people(seed, day).people, day);
        return [seed, known];
      }),
    );
    const target = { waitSeconds: STAFFED[this.#name]!.waitSeconds, share };
    return this.play((seed, day) =>
      learned
        .get(seed)!
        .follow(
          { day, people: this.#people(seed, day).people, tills: this.shop.tills },
          { target, everySeconds },
          isLimit ? { ms: 0, looks: 0 } : this.spent,
          isLimit ? expectedOf(this.shop, day, this.#random(seed, day)) : null,
        ),
    );
  }
}

function textOf(shops: ReturnType<typeof judge>): string {
  const heading = [
    'shop',
    'till hours',
    'late or gave up',
    '%',
    'openings',
    'fewer hours %',
    'fewer late %',
    'fewer openings %',
    'at equal hours %',
    'CPU ms',
  ];
  const rows = Object.entries(shops).flatMap(
    ([name, { advice, limit, allOpen, equalService, equalHours, ...less }]) =>
      (
        [
          ['advice', advice],
          ['advice, arrivals known', limit],
          ['all open', allOpen],
          ['rule, equal service', equalService],
          ['rule, equal hours', equalHours],
        ] as const
      ).flatMap(([who, figures]) =>
        figures === null
          ? []
          : [
              [
                `${name}, ${who}`,
                shown(figures.tillHours, 1),
                String(figures.lateOrGaveUp),
                shown(ratio(100 * figures.lateOrGaveUp, figures.joined, 1), 1),
                String(figures.openings),
                ...(who === 'advice'
                  ? [
                      shown(less.fewerTillHours, 1),
                      shown(less.fewerLate, 1),
                      shown(less.fewerOpenings, 0),
                      shown(less.fewerOpeningsAtEqualHours, 0),
                      shown(less.cpuMsOfAdvice, 1),
                    ]
                  : ['', '', '', '', '']),
              ],
            ],
      ),
  );
  return table([heading, ...rows]);
}
