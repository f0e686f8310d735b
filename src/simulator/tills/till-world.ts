import type { Ground } from '../camera.ts';
import { randomCostume } from '../draw/costume.ts';
import type { Person } from '../person.ts';
import type { Place } from '../place.ts';
import { createRandom, type Random } from '../random.ts';
import type { TillScenario } from '../scenario.ts';
import { STEP_MS } from '../shop-world.ts';
import { face, rest, walk } from '../walker.ts';
import { arrivalsOf, hoursOf } from './till-script.ts';
import { BEFORE_METRES, type ShopTill, type TillShop, tillShopOf } from './till-shop.ts';

const SEATED_METRES = 0.42;
/** Of the customers so many turn to a wrong till first, so many are sent to another one, so many pass by. */
const WRONG_TURN_SHARE = 0.08;
/** Without a line more turn to a till that is closed, and look at it for so long before they see it. */
const WALK_UP_WRONG_SHARE = 0.2;
const LOOK_SECONDS = [0.6, 1.8] as const;
const SENT_SHARE = 0.04;
const PASSING_SHARE = 0.1;
/** Who is sent to another till is so long before the end of the service. */
const SENT_EARLIER_MS = 4_000;
/** Scripts are made for so long. */
const SCRIPT_SECONDS = 4 * 3600;

type Mutable<T> = { -readonly [key in keyof T]: T[key] };

type Doing =
  | { kind: 'walking'; route: Ground[]; after: Doing | null; pausedUntilMs?: number }
  | { kind: 'inLine'; line: Line; moveAtMs: number }
  | { kind: 'served'; till: Till; untilMs: number; isSent: boolean }
  | { kind: 'working' };

interface Actor extends Mutable<Person> {
  readonly random: Random;
  readonly speed: number;
  doing: Doing;
}

interface Till extends ShopTill {
  readonly isOpen: (seconds: number) => boolean;
  /** From the moment of the call. */
  customer: Actor | null;
  cashier: Actor | null;
}

interface Line {
  readonly slots: readonly Ground[];
  readonly tills: readonly Till[];
  readonly people: Actor[];
}

/** What is true of a till now. */
export type TrueState = 'serving' | 'free' | 'closed';

/** A shop with a row of tills that open and close. The seed determines everything; time only moves forward. */
export class TillWorld {
  readonly shop: TillShop;
  readonly #seed: number;
  readonly #arrivals: Generator<number, never>;
  #nextArrival: number;
  #actors: Actor[] = [];
  readonly #lines: readonly Line[];
  readonly #tills: readonly Till[];
  #lastId = 0;
  #timeMs = 0;

  constructor(seed: number, scenario: TillScenario) {
    this.shop = tillShopOf(scenario);
    this.#seed = seed;
    const { tills, lines } = this.shop;
    this.#tills = tills.map((till, at) => {
      return { ...till, isOpen: hoursOf(seed, at, SCRIPT_SECONDS), customer: null, cashier: null };
    });
    this.#arrivals = arrivalsOf(seed, tills.length);
    this.#nextArrival = this.#arrivals.next().value;
    this.#lines = lines.map(({ slots, tillIds }) => {
      return { slots, tills: this.#tills.filter(({ id }) => tillIds.includes(id)), people: [] };
    });
  }

  get place(): Place {
    return this.shop.place;
  }

  get timeMs(): number {
    return this.#timeMs;
  }

  get people(): readonly Person[] {
    return this.#actors;
  }

  /** Of each till. A customer who steps up or leaves is not being served, so the till is free. */
  get states(): readonly TrueState[] {
    return this.#tills.map((till) => {
      if (till.customer?.doing.kind === 'served') return 'serving';
      return till.customer || this.#accepts(till) ? 'free' : 'closed';
    });
  }

  /** The till at which a customer is served, by person. */
  get served(): ReadonlyMap<number, string> {
    return new Map(
      this.#actors.flatMap(({ id, doing }) =>
        doing.kind === 'served' ? [[id, doing.till.id] as const] : [],
      ),
    );
  }

  advanceTo(timeMs: number): void {
    while (this.#timeMs + STEP_MS <= timeMs) this.#step();
  }

  #step(): void {
    this.#timeMs += STEP_MS;
    while (this.#nextArrival * 1000 <= this.#timeMs) {
      this.#letIn();
      this.#nextArrival = this.#arrivals.next().value;
    }
    for (const till of this.#tills) this.#staff(till);
    for (const line of this.#lines) this.#call(line);
    for (const actor of this.#actors) this.#act(actor);
    this.#actors = this.#actors.filter(
      ({ doing }) => doing.kind !== 'walking' || doing.route.length > 0 || doing.after !== null,
    );
  }

  /** A customer may be called to the till. */
  #accepts(till: Till): boolean {
    if (!till.isOpen(this.#timeMs / 1000)) return false;
    return !this.shop.showsStaff || till.cashier?.doing.kind === 'working';
  }

  /** The cashier comes before the till opens and leaves when it has closed and its last customer is served. */
  #staff(till: Till): void {
    if (!this.shop.showsStaff) return;
    const { post, way, exit, cashier } = till;
    const [outside, beside, behind] = way;
    const isWanted = till.isOpen(this.#timeMs / 1000);
    if (isWanted && !cashier) {
      const isOpening = this.#timeMs <= STEP_MS;
      const route = [beside, behind, post];
      till.cashier = this.#enter(
        isOpening ? post : outside,
        isOpening ? { kind: 'working' } : { kind: 'walking', route, after: { kind: 'working' } },
      );
      till.cashier.isStaff = true;
    } else if (!isWanted && cashier?.doing.kind === 'working' && !till.customer) {
      cashier.seatedMetres = 0;
      cashier.doing = { kind: 'walking', route: [behind, ...exit.slice(1)], after: null };
      till.cashier = null;
    }
  }

  #letIn(): void {
    const random = createRandom(this.#seed, 8, this.#lastId + 1);
    const side = random.chance(0.6) ? -1 : 1;
    const { view } = this.place;
    if (random.chance(PASSING_SHARE)) {
      const z = random.between(14.6, 15.4);
      this.#enter(view.beyondEdge(side, z), {
        kind: 'walking',
        route: [view.beyondEdge(side === 1 ? -1 : 1, z)],
        after: null,
      });
      return;
    }
    const line = this.#lineToJoin();
    const from = view.beyondEdge(side, random.between(15.5, 16.5));
    // Nobody joins a full line.
    if (!line) return;
    const actor = this.#enter(from, { kind: 'inLine', line, moveAtMs: 0 });
    const till = this.shop.isWalkUp ? this.#nearestEmpty(actor, true) : undefined;
    if (till) this.#walkUp(actor, till);
    else line.people.push(actor);
  }

  /** The till without a customer that is nearest, among those that accept somebody or among the closed ones. */
  #nearestEmpty(actor: Actor, accepts: boolean): Till | undefined {
    return this.#tills
      .filter((till) => !till.customer && this.#accepts(till) === accepts)
      .sort((a, b) => distance(actor, a.stand) - distance(actor, b.stand))[0];
  }

  #walkUp(actor: Actor, till: Till): void {
    this.#send(actor, till, false);
    const closed = this.#nearestEmpty(actor, false);
    if (!closed || !actor.random.chance(WALK_UP_WRONG_SHARE)) return;
    const { x, z } = closed.stand;
    const goesOn = { ...actor.doing, pausedUntilMs: 1000 * actor.random.between(...LOOK_SECONDS) };
    const route = [
      { x, z: z + BEFORE_METRES },
      { x, z: z + 0.4 },
    ];
    actor.doing = { kind: 'walking', route, after: goesOn as Doing };
  }

  /** The shortest line of a till that accepts somebody; none where all are full. */
  #lineToJoin(): Line | undefined {
    return this.#lines
      .filter(
        ({ tills, slots, people }) =>
          people.length < slots.length && tills.some((till) => this.#accepts(till)),
      )
      .sort((a, b) => a.people.length - b.people.length)[0];
  }

  #call(line: Line): void {
    const { tills, people } = line;
    const [first] = people;
    if (!first || distance(first, slotOf(line, first)) > 0.5) return;
    if (first.doing.kind !== 'inLine' || this.#timeMs < first.doing.moveAtMs) return;
    const till = tills.find((one) => !one.customer && this.#accepts(one));
    if (!till) return;
    people.shift();
    people.forEach(({ doing, random }, place) => {
      if (doing.kind === 'inLine')
        doing.moveAtMs = this.#timeMs + 1000 * (0.5 + 0.4 * place) * random.between(0.8, 1.3);
    });
    if (this.shop.isWalkUp) this.#walkUp(first, this.#nearestEmpty(first, true) ?? till);
    else this.#send(first, till, first.random.chance(WRONG_TURN_SHARE));
  }

  /** @param turnsWrong goes a step into the till beside first */
  #send(actor: Actor, till: Till, turnsWrong: boolean, seconds?: number): void {
    till.customer = actor;
    const { random } = actor;
    const before = ({ stand }: { stand: Ground }): Ground => ({ x: stand.x, z: stand.z + BEFORE_METRES });
    const at = this.#tills.indexOf(till);
    const other = this.#tills[at + 1] ?? this.#tills[at - 1];
    const detour =
      turnsWrong && other ? [before(other), { x: other.stand.x, z: other.stand.z + 0.5 }, before(other)] : [];
    actor.doing = {
      kind: 'walking',
      route: [...detour, before(till), till.stand],
      pausedUntilMs: this.#timeMs + 1000 * random.between(0.4, 1.6),
      after: {
        ...{ kind: 'served', till, untilMs: 1000 * (seconds ?? random.between(9, 34)) },
        isSent: seconds === undefined && random.chance(SENT_SHARE),
      },
    };
  }

  #act(actor: Actor): void {
    const { doing } = actor;
    if (doing.kind === 'walking') this.#walkOn(actor, doing);
    else if (doing.kind === 'inLine') this.#wait(actor, doing);
    else if (doing.kind === 'working') this.#stand(actor, 0);
    else this.#beServed(actor, doing);
  }

  #walkOn(actor: Actor, doing: Extract<Doing, { kind: 'walking' }>): void {
    if (this.#timeMs < (doing.pausedUntilMs ?? 0)) {
      this.#stand(actor, actor.heading);
      return;
    }
    const target = doing.route[0];
    if (target) {
      const isLast = doing.route.length === 1;
      if (this.#move(actor, target) < (isLast ? 0.1 : 0.35)) doing.route.shift();
      return;
    }
    if (!doing.after) return;
    actor.doing = doing.after;
    if (actor.doing.kind === 'served') actor.doing.untilMs += this.#timeMs;
    if (actor.doing.kind === 'walking')
      actor.doing.pausedUntilMs = this.#timeMs + (actor.doing.pausedUntilMs ?? 0);
    if (actor.doing.kind === 'working' && actor.random.chance(0.6)) actor.seatedMetres = SEATED_METRES;
  }

  #wait(actor: Actor, doing: Extract<Doing, { kind: 'inLine' }>): void {
    this.#changeLine(actor, doing);
    const slot = slotOf(doing.line, actor);
    actor.inLine = distance(actor, slot) < 1.5;
    if (distance(actor, slot) < 0.08 || (actor.standing && this.#timeMs < doing.moveAtMs))
      this.#stand(actor, Math.PI);
    else this.#move(actor, slot);
  }

  /** Whose till has closed goes to another line. */
  #changeLine(actor: Actor, doing: Extract<Doing, { kind: 'inLine' }>): void {
    if (this.shop.lines.length === 1 || this.#timeMs < doing.moveAtMs) return;
    const { tills, people } = doing.line;
    if (tills.some((till) => this.#accepts(till))) return;
    const next = this.#lineToJoin();
    if (!next) return;
    people.splice(people.indexOf(actor), 1);
    next.people.push(actor);
    actor.doing = { kind: 'inLine', line: next, moveAtMs: this.#timeMs + 1000 * actor.random.between(3, 9) };
  }

  #beServed(actor: Actor, doing: Extract<Doing, { kind: 'served' }>): void {
    const isSentNow = doing.isSent && this.#timeMs >= doing.untilMs - SENT_EARLIER_MS;
    const other = isSentNow && this.#tills.find((till) => !till.customer && this.#accepts(till));
    if (this.#timeMs < doing.untilMs && !other) {
      this.#stand(actor, Math.PI);
      return;
    }
    doing.till.customer = null;
    if (other) {
      this.#send(actor, other, false, actor.random.between(8, 20));
      return;
    }
    actor.outcome = 'completed';
    actor.doing = { kind: 'walking', route: [...doing.till.exit], after: null };
  }

  #move(actor: Actor, to: Ground): number {
    actor.standing = false;
    return walk(actor, to, { speed: actor.speed, seconds: STEP_MS / 1000, others: this.#actors });
  }

  #stand(actor: Actor, heading: number): void {
    actor.standing = true;
    rest(actor);
    face(actor, heading, STEP_MS / 2000);
  }

  #enter(from: Ground, doing: Doing): Actor {
    const id = ++this.#lastId;
    const random = createRandom(this.#seed, 3, id);
    const actor: Actor = {
      ...{ id, costume: randomCostume(random), random, x: from.x, z: from.z, velocityX: 0, velocityZ: 0 },
      ...{ heading: 0, walkedMetres: random.between(0, 1), speed: random.between(0.9, 1.15), doing },
      ...{ standing: false, inLine: false, isStaff: false, seatedMetres: 0, carries: null, group: null },
      outcome: null,
    };
    this.#actors.push(actor);
    return actor;
  }
}

/** A customer who has just left for another line still looks at the head of this one. */
const slotOf = ({ slots, people }: Line, actor: Actor): Ground => slots[Math.max(0, people.indexOf(actor))]!;

const distance = (a: Ground, b: Ground): number => Math.hypot(a.x - b.x, a.z - b.z);
