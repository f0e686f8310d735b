import { type Arrival, Arrivals, type Stop } from './arrivals.ts';
import type { Ground } from './camera.ts';
import { beyondEdge, CLOSE_SLOTS, COUNTERS, type Counter, LINE_CAPACITY, LOOKOUT, SLOTS } from './layout.ts';
import { type Look, randomLook } from './look.ts';
import { createRandom, type Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import { type Body, face, rest, walk } from './walker.ts';

/** The world moves in steps of this length, whatever the frame rate, so that a time has one state only. */
export const STEP_MS = 50;

/** Share of the line's time in which somebody in it is to be half hidden. */
const CLOSE_SHARE = 0.18;

export type ScriptedOutcome = 'completed' | 'abandoned' | 'passedBy';

/** One person in the shop, as the script has them. */
export interface Person extends Readonly<Body> {
  /** From 1, in order of arrival. */
  readonly id: number;
  readonly look: Look;
  readonly standing: boolean;
  /** What it came to, known from the moment it is decided. */
  readonly outcome: ScriptedOutcome | null;
  /** Has a place in the line. */
  readonly inLine: boolean;
}

type Doing =
  /** Along a route and out of the picture; `restedMs` at its next stop. */
  | { kind: 'walking'; route: Stop[]; restedMs: number }
  | { kind: 'joining' }
  | { kind: 'inLine'; sinceMs: number; place: number; moveAtMs: number }
  | { kind: 'toCounter'; counter: number; startAtMs: number }
  | { kind: 'served'; counter: number; untilMs: number };

interface Actor extends Body {
  readonly id: number;
  readonly look: Look;
  readonly random: Random;
  readonly speed: number;
  readonly patienceMs: number;
  readonly offset: Ground;
  slots: readonly Ground[];
  standing: boolean;
  inLine: boolean;
  outcome: ScriptedOutcome | null;
  doing: Doing;
  glanceAtMs: number;
  glance: number;
}

/**
 * A shop with one line and two self-service terminals, scripted by its seed alone. Time only moves forward;
 * it holds nobody but the people present, so it can run for ever.
 */
export class ShopWorld {
  readonly #seed: number;
  readonly #arrivals: Arrivals;
  readonly #service: Random;
  #next: Arrival;
  #actors: Actor[] = [];
  readonly #line: Actor[] = [];
  readonly #counters: (Actor | null)[] = COUNTERS.map(() => null);
  #lastId = 0;
  #timeMs = 0;
  /** How long there has been a line, and somebody in it close behind another. */
  #lineMs = 0;
  #closeMs = 0;

  constructor(seed: number, _scenario: Scenario = 'classic') {
    this.#seed = seed;
    this.#arrivals = new Arrivals(createRandom(seed, 1));
    this.#service = createRandom(seed, 2);
    this.#next = this.#arrivals.next();
  }

  get timeMs(): number {
    return this.#timeMs;
  }

  /** Everybody in the shop or just outside the picture, in order of arrival. Valid until the next advance. */
  get people(): readonly Person[] {
    return this.#actors;
  }

  get lineLength(): number {
    return this.#line.length;
  }

  /** Moves on to the last step at or before `timeMs`; an earlier time than the present changes nothing. */
  advanceTo(timeMs: number): void {
    while (this.#timeMs + STEP_MS <= timeMs) this.#step();
  }

  #step(): void {
    this.#timeMs += STEP_MS;
    while (this.#next.atMs <= this.#timeMs) {
      this.#actors.push(this.#enter(this.#next));
      this.#next = this.#arrivals.next();
    }
    this.#callNext();
    this.#watchLine();
    let leaving = false;
    for (const actor of this.#actors) {
      this.#act(actor);
      leaving ||= actor.doing.kind === 'walking' && actor.doing.route.length === 0;
    }
    if (leaving) {
      this.#actors = this.#actors.filter((a) => a.doing.kind !== 'walking' || a.doing.route.length > 0);
    }
  }

  #watchLine(): void {
    if (this.#line.length > 0) this.#lineMs += STEP_MS;
    const close = this.#line.some(
      ({ standing, slots }, place) =>
        place > 0 && standing && slots === CLOSE_SLOTS && this.#line[place - 1]!.standing,
    );
    if (close) this.#closeMs += STEP_MS;
  }

  #enter(arrival: Arrival): Actor {
    const id = ++this.#lastId;
    const random = createRandom(this.#seed, 3, id);
    const { intent, from } = arrival;
    const look = randomLook(random);
    const pace = look.attributes.age === 'ageOver60' ? 0.85 : 1;
    return {
      id,
      look,
      random,
      x: from.x,
      z: from.z,
      velocityX: 0,
      velocityZ: 0,
      heading: from.x < 0 ? Math.PI / 2 : -Math.PI / 2,
      walkedMetres: random.between(0, 1),
      speed: pace * (intent.kind === 'pass' ? random.between(0.95, 1.25) : random.between(0.8, 1.05)),
      patienceMs: intent.kind === 'buy' ? intent.patienceSeconds * 1000 : 0,
      offset: { x: random.between(-0.02, 0.02), z: random.between(-0.06, 0.06) },
      slots: SLOTS,
      standing: false,
      inLine: false,
      outcome: intent.kind === 'pass' ? 'passedBy' : null,
      doing:
        intent.kind === 'pass'
          ? { kind: 'walking', route: [...intent.route], restedMs: 0 }
          : { kind: 'joining' },
      glanceAtMs: 0,
      glance: 0,
    };
  }

  /** The head of the line goes to a free terminal; those behind follow one after the other. */
  #callNext(): void {
    const first = this.#line[0];
    if (first?.doing.kind !== 'inLine' || !first.standing) return;
    if (this.#timeMs < first.doing.moveAtMs) return;
    const counter = this.#counters.indexOf(null);
    if (counter < 0) return;
    this.#counters[counter] = first;
    this.#leaveLine(first, 0.5);
    const startAtMs = this.#timeMs + 1000 * first.random.between(0.3, 0.9);
    first.doing = { kind: 'toCounter', counter, startAtMs };
  }

  #leaveLine(actor: Actor, noticedAfterSeconds: number): void {
    const at = this.#line.indexOf(actor);
    this.#line.splice(at, 1);
    actor.inLine = false;
    for (let place = at; place < this.#line.length; place++) {
      const { doing, random } = this.#line[place]!;
      if (doing.kind !== 'inLine') continue;
      doing.place = place;
      doing.moveAtMs =
        this.#timeMs + 1000 * (noticedAfterSeconds + 0.45 * (place - at)) * random.between(0.8, 1.3);
    }
  }

  #act(actor: Actor): void {
    const { doing } = actor;
    if (doing.kind === 'walking') this.#walkOn(actor, doing);
    else if (doing.kind === 'joining') this.#join(actor);
    else if (doing.kind === 'inLine') this.#wait(actor, doing);
    else if (doing.kind === 'toCounter') this.#toCounter(actor, doing);
    else this.#beServed(actor, doing);
  }

  #move(actor: Actor, to: Ground, speed = actor.speed): number {
    actor.standing = false;
    return walk(actor, to, { speed, seconds: STEP_MS / 1000, others: this.#actors });
  }

  /** Stands, looking about now and then. */
  #stand(actor: Actor, heading: number): void {
    actor.standing = true;
    rest(actor);
    if (this.#timeMs >= actor.glanceAtMs) {
      actor.glance = actor.random.chance(0.55) ? 0 : actor.random.between(-0.9, 0.9);
      actor.glanceAtMs = this.#timeMs + 1000 * actor.random.between(2.5, 9);
    }
    face(actor, heading + actor.glance, STEP_MS / 2000);
  }

  #walkOn(actor: Actor, doing: Extract<Doing, { kind: 'walking' }>): void {
    const target = doing.route[0];
    if (!target) return;
    const left = Math.hypot(target.x - actor.x, target.z - actor.z);
    if (left > (target.pauseSeconds ? 0.1 : 0.35)) {
      this.#move(actor, target);
    } else if (doing.restedMs < 1000 * (target.pauseSeconds ?? 0)) {
      doing.restedMs += STEP_MS;
      this.#stand(actor, 0.85 * Math.PI);
    } else {
      doing.route.shift();
      doing.restedMs = 0;
    }
  }

  #join(actor: Actor): void {
    if (this.#line.length >= LINE_CAPACITY) {
      actor.outcome = 'passedBy';
      const z = Math.min(11.5, Math.max(6.5, actor.z + actor.random.between(-2, 2)));
      actor.doing = { kind: 'walking', route: [beyondEdge(-1, z)], restedMs: 0 };
      return;
    }
    const slot = SLOTS[this.#line.length]!;
    const beside = { x: slot.x - 1.5, z: slot.z + 0.25 };
    if (this.#move(actor, beside) > 0.7) return;
    if (this.#line.length > 0 && this.#closeMs < CLOSE_SHARE * this.#lineMs) actor.slots = CLOSE_SLOTS;
    const place = this.#line.push(actor) - 1;
    actor.inLine = true;
    // Whoever finds no line still looks around for a moment before going on.
    const moveAtMs = this.#timeMs + 1000 * actor.random.between(3.5, 5);
    actor.doing = { kind: 'inLine', sinceMs: this.#timeMs, place, moveAtMs };
  }

  #wait(actor: Actor, doing: Extract<Doing, { kind: 'inLine' }>): void {
    if (this.#timeMs - doing.sinceMs > actor.patienceMs && doing.place > 0 && actor.standing) {
      this.#leaveLine(actor, 1.5);
      actor.outcome = 'abandoned';
      // Away from the line, not along it.
      const aside = { x: actor.x - 1.4, z: actor.z - 1.5 };
      const out = beyondEdge(-1, aside.z - actor.random.between(0, 0.5));
      actor.doing = { kind: 'walking', route: [aside, out], restedMs: 0 };
      return;
    }
    const slot = actor.slots[doing.place]!;
    const target = { x: slot.x + actor.offset.x, z: slot.z + actor.offset.z };
    const ahead = SLOTS[doing.place - 1] ?? LOOKOUT;
    const towards = Math.atan2(ahead.x - slot.x, ahead.z - slot.z);
    const left = Math.hypot(target.x - actor.x, target.z - actor.z);
    if (left < 0.06 || (actor.standing && this.#timeMs < doing.moveAtMs)) this.#stand(actor, towards);
    else this.#move(actor, target);
  }

  #toCounter(actor: Actor, doing: Extract<Doing, { kind: 'toCounter' }>): void {
    if (this.#timeMs < doing.startAtMs) return;
    if (this.#move(actor, COUNTERS[doing.counter]!.stand) >= 0.08) return;
    const untilMs = this.#timeMs + 1000 * this.#serviceSeconds();
    actor.doing = { kind: 'served', counter: doing.counter, untilMs };
  }

  #serviceSeconds(): number {
    const random = this.#service;
    return random.chance(0.15) ? random.between(18, 28) : random.between(8.5, 16.5);
  }

  #beServed(actor: Actor, doing: Extract<Doing, { kind: 'served' }>): void {
    const counter: Counter = COUNTERS[doing.counter]!;
    if (this.#timeMs < doing.untilMs) {
      const { stand, terminal } = counter;
      this.#stand(actor, Math.atan2(terminal.x - stand.x, terminal.z - stand.z));
      return;
    }
    actor.outcome = 'completed';
    this.#counters[doing.counter] = null;
    actor.doing = { kind: 'walking', route: [...counter.exit], restedMs: 0 };
  }
}
