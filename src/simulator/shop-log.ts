import type { Polygon } from '../vision/types.ts';
import { seenShares } from './coverage.ts';
import type { Attributes } from './draw/costume.ts';
import type { Shop } from './open-shop.ts';
import type { Person, ScriptedOutcome } from './person.ts';
import type { Place } from './place.ts';
import { STEP_MS } from './shop-world.ts';

/** `[entered, left]` in seconds; left is null where the recording ends first. */
type Interval = [entered: number, left: number | null];

/** The truth about one person. */
export interface PersonLog {
  readonly id: number;
  readonly attributes: Attributes;
  /** Times of the foot point inside each zone, without a threshold. */
  readonly queue: Interval[];
  readonly checkout: Interval[];
  /** null: not decided before the recording ended. */
  outcome: ScriptedOutcome | null;
}

/** Counts over a recording. */
export interface ShopStatistics {
  readonly persons: number;
  /** Persons who stood in the line. */
  readonly visits: number;
  readonly abandoned: number;
  readonly passersBy: number;
  readonly abandonedOrPassingShare: number;
  readonly peakLine: number;
  /** Share of the time with people in line in which others cover at least 40 % of one of them. */
  readonly occludedTimeShare: number;
  /** Share of all person-seconds in line in which others cover at least 40 % of that person. */
  readonly occludedPersonShare: number;
  /** Shares of the frame's height, of people wholly in the frame. */
  readonly smallestPerson: number;
  readonly tallestPerson: number;
}

const COVERED = 0.4;
/** Interval of the coverage measurement, which costs more than the rest. */
const COVERAGE_STEP_MS = 4 * STEP_MS;

/** Even-odd rule. Not the code of `src/vision/zones`, because the truth evaluates that code. */
export function inside(zone: Polygon, x: number, y: number): boolean {
  let within = false;
  let before = zone.points.at(-1);
  if (!before) return false;
  for (const point of zone.points) {
    const [ax, ay] = point;
    const [bx, by] = before;
    before = point;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
  }
  return within;
}

function mark(intervals: Interval[], isInside: boolean, seconds: number): void {
  const open = intervals.at(-1)?.[1] === null ? intervals.at(-1) : undefined;
  if (isInside && !open) intervals.push([seconds, null]);
  if (!isInside && open) open[1] = seconds;
}

/** Records the truth about a world, step by step. */
export class ShopLog {
  readonly #persons = new Map<number, PersonLog>();
  readonly #queued = new Set<number>();
  #peakLine = 0;
  #lineSteps = 0;
  #occludedSteps = 0;
  #personSteps = 0;
  #occludedPersonSteps = 0;
  #smallest = 1;
  #tallest = 0;

  get persons(): PersonLog[] {
    return [...this.#persons.values()];
  }

  /** Call it at each step of the world. */
  observe(world: Shop): void {
    const { people } = world;
    let line = 0;
    for (const person of people) {
      this.#follow(person, world);
      if (!person.inLine || !person.standing) continue;
      line++;
      this.#queued.add(person.id);
    }
    this.#peakLine = Math.max(this.#peakLine, line);
    if (world.timeMs % COVERAGE_STEP_MS === 0) this.#measureCoverage(world);
  }

  statistics(): ShopStatistics {
    const persons = this.persons;
    const count = (outcome: ScriptedOutcome) => persons.filter((p) => p.outcome === outcome).length;
    const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
    const [abandoned, passersBy] = [count('abandoned'), count('passedBy')];
    return {
      persons: persons.length,
      visits: this.#queued.size,
      abandoned,
      passersBy,
      abandonedOrPassingShare: share(abandoned + passersBy, persons.length),
      peakLine: this.#peakLine,
      occludedTimeShare: share(this.#occludedSteps, this.#lineSteps),
      occludedPersonShare: share(this.#occludedPersonSteps, this.#personSteps),
      smallestPerson: this.#smallest,
      tallestPerson: this.#tallest,
    };
  }

  #follow(person: Person, { place, timeMs }: Shop): void {
    const seconds = timeMs / 1000;
    let log = this.#persons.get(person.id);
    if (!log) {
      const { attributes } = person.costume;
      log = { id: person.id, attributes, queue: [], checkout: [], outcome: null };
      this.#persons.set(person.id, log);
    }
    log.outcome = person.outcome;
    // Staff are no customers, wherever they stand.
    if (person.isStaff) return;
    const [x, y] = place.view.project(person);
    const { queueZone, checkoutZone, tills = [] } = place.zones;
    if (queueZone) mark(log.queue, inside(queueZone, x, y), seconds);
    const served = [...(checkoutZone ? [checkoutZone] : []), ...tills].some((zone) => inside(zone, x, y));
    mark(log.checkout, served, seconds);
  }

  #measureCoverage({ people, place }: Shop): void {
    let inLine = false;
    let occluded = false;
    for (const { person, covered, visible } of seenShares(
      people.map((person) => ({ person })),
      place,
    )) {
      if (covered + visible > 0.999 && covered < 1) this.#measure(person, place);
      if (!person.inLine) continue;
      inLine = true;
      this.#personSteps++;
      if (covered < COVERED) continue;
      occluded = true;
      this.#occludedPersonSteps++;
    }
    if (inLine) this.#lineSteps++;
    if (occluded) this.#occludedSteps++;
  }

  #measure(person: Person, { view }: Place): void {
    const height = view.apparentHeight(person.z, person.costume.heightMetres);
    this.#smallest = Math.min(this.#smallest, height);
    this.#tallest = Math.max(this.#tallest, height);
  }
}
