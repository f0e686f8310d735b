import type { Arrival, ArrivalSource, Stop } from './arrivals/arrivals.ts';
import type { Ground } from './camera.ts';
import { COMPANIONS, type Companion, inFormation, plus } from './groups.ts';
import type { Counter } from './layout.ts';
import type { Person } from './person.ts';
import { type LinePlace, type Post, placeOf } from './place.ts';
import { createRandom, type Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import { scriptOf } from './shop-script.ts';
import { face, rest, walk } from './walker.ts';

/** Length of a step, independent of the frame rate, so that each time has one state. */
export const STEP_MS = 50;

/** Share of the time of the line in which one of the people stands close to the person ahead. */
const CLOSE_SHARE = 0.18;

/** The leader of a group walks slowly while a companion is farther away than this … */
const FALLEN_BEHIND_METRES = 1;
/** … and that companion walks so much faster than the leader. */
const HURRY = 1.3;

/** How much lower somebody is who sits behind a counter. */
const SEATED_METRES = 0.42;
/** How long staff who go about stay at a place. */
const WORKS_SECONDS = [15, 45] as const;

type Mutable<T> = { -readonly [key in keyof T]: T[key] };

type Doing =
  /** Along a route and out of the frame; `restedMs`: pause so far at the next stop. */
  | { kind: 'walking'; route: Stop[]; restedMs: number }
  | { kind: 'joining' }
  /** Staff, who never leave. `stops`: the present one first; `untilMs`: when they go to the next. */
  | { kind: 'working'; stops: Post['stops']; towards: Ground; untilMs: number }
  | { kind: 'inLine'; sinceMs: number; place: number; moveAtMs: number }
  | { kind: 'toCounter'; counter: OpenCounter; startAtMs: number }
  | { kind: 'served'; counter: OpenCounter; untilMs: number }
  /** `waitsAt`: beside the line, while the leader waits in it. */
  | { kind: 'accompanying'; leader: Actor; companion: Companion; waitsTogether: boolean; waitsAt?: Ground };

interface Actor extends Mutable<Person> {
  readonly random: Random;
  readonly speed: number;
  readonly patienceMs: number;
  readonly offset: Ground;
  /** A companion has fallen behind. */
  isAhead: boolean;
  slots: readonly Ground[];
  doing: Doing;
  glanceAtMs: number;
  glance: number;
}

interface OpenCounter extends Counter {
  isTaken: boolean;
}

/**
 * A shop with one line and two self-service terminals, determined by its seed. Time only moves forward. It holds only the
 * people present, so it can run without an end.
 */
export class ShopWorld {
  readonly #seed: number;
  readonly place: LinePlace;
  readonly #script: ReturnType<typeof scriptOf>;
  readonly #arrivals: { readonly source: ArrivalSource; next: Arrival }[];
  readonly #service: Random;
  #actors: Actor[] = [];
  readonly #line: Actor[] = [];
  readonly #counters: readonly OpenCounter[];
  #lastId = 0;
  #timeMs = 0;
  /** Time with a line, and time with one person in it close to the person ahead. */
  #lineMs = 0;
  #closeMs = 0;

  constructor(seed: number, scenario: Scenario = 'classic') {
    this.place = placeOf(scenario);
    this.#seed = seed;
    this.#script = scriptOf(scenario, seed);
    this.#counters = this.place.counters.map((counter) => ({ ...counter, isTaken: false }));
    this.#service = createRandom(seed, 2);
    this.#arrivals = this.#script.sources.map((source) => ({ source, next: source.next() }));
    for (const post of this.place.staff) this.#employ(post);
  }

  get timeMs(): number {
    return this.#timeMs;
  }

  /** The people in the shop or just outside the frame, in order of arrival. Valid until the next advance. */
  get people(): readonly Person[] {
    return this.#actors;
  }

  /** Simulates up to the last step at or before `timeMs`. */
  advanceTo(timeMs: number): void {
    while (this.#timeMs + STEP_MS <= timeMs) this.#step();
  }

  #step(): void {
    this.#timeMs += STEP_MS;
    for (const arrival of this.#arrivals) {
      for (; arrival.next.atMs <= this.#timeMs; arrival.next = arrival.source.next())
        this.#letIn(arrival.next);
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
        standing && slots === this.place.line.closeSlots && this.#line[place - 1]?.standing,
    );
    if (close) this.#closeMs += STEP_MS;
  }

  #letIn(arrival: Arrival): void {
    const leader = this.#enter(arrival);
    this.#actors.push(leader);
    const { companions = 0, waitsTogether = false } = arrival.company ?? {};
    for (const companion of COMPANIONS.slice(0, companions)) {
      const from = inFormation(leader, companion);
      const follower = this.#enter({ ...arrival, from }, leader);
      follower.doing = { kind: 'accompanying', leader, companion, waitsTogether };
      this.#actors.push(follower);
    }
  }

  #enter(arrival: Arrival, leader?: Actor): Actor {
    const id = ++this.#lastId;
    const random = createRandom(this.#seed, 3, id);
    const { intent, from } = arrival;
    const costume = this.#script.costumeOf(random);
    const pace = costume.attributes.age === 'ageOver60' ? 0.85 : 1;
    return {
      id,
      costume,
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
      group: leader?.id ?? (arrival.company ? id : null),
      isAhead: false,
      slots: this.place.line.slots,
      standing: false,
      inLine: false,
      isStaff: false,
      seatedMetres: 0,
      carries: intent.kind === 'buy' ? this.#script.carriedBy(random) : null,
      outcome: intent.kind === 'pass' ? 'passedBy' : null,
      doing:
        intent.kind === 'pass'
          ? { kind: 'walking', route: [...intent.route], restedMs: 0 }
          : { kind: 'joining' },
      glanceAtMs: 0,
      glance: 0,
    };
  }

  #employ(post: Post): void {
    const { stops, towards } = post;
    const staff = this.#enter({ atMs: 0, from: stops[0], intent: { kind: 'pass', route: [] } });
    staff.isStaff = true;
    staff.seatedMetres = post.isSeated ? SEATED_METRES : 0;
    staff.outcome = null;
    staff.doing = { kind: 'working', stops, towards, untilMs: 0 };
    this.#actors.push(staff);
  }

  /** The first person in line goes to a free terminal; the others move up one after the other. */
  #callNext(): void {
    const first = this.#line[0];
    if (first?.doing.kind !== 'inLine' || !first.standing) return;
    if (this.#timeMs < first.doing.moveAtMs) return;
    const counter = this.#counters.find(({ isTaken }) => !isTaken);
    if (!counter) return;
    counter.isTaken = true;
    this.#leaveLine(first, 0.5);
    const startAtMs = this.#timeMs + 1000 * first.random.between(0.3, 0.9);
    first.doing = { kind: 'toCounter', counter, startAtMs };
  }

  #leaveLine(actor: Actor, noticedAfterSeconds: number): void {
    const at = this.#line.indexOf(actor);
    this.#line.splice(at, 1);
    actor.inLine = false;
    for (const [place, { doing, random }] of this.#line.entries()) {
      if (place < at || doing.kind !== 'inLine') continue;
      doing.place = place;
      doing.moveAtMs =
        this.#timeMs + 1000 * (noticedAfterSeconds + 0.45 * (place - at)) * random.between(0.8, 1.3);
    }
  }

  #act(actor: Actor): void {
    const { doing } = actor;
    if (doing.kind === 'walking') this.#walkOn(actor, doing);
    else if (doing.kind === 'joining') this.#join(actor);
    else if (doing.kind === 'working') this.#work(actor, doing);
    else if (doing.kind === 'inLine') this.#wait(actor, doing);
    else if (doing.kind === 'toCounter') this.#toCounter(actor, doing);
    else if (doing.kind === 'served') this.#beServed(actor, doing);
    else this.#accompany(actor, doing);
  }

  #move(actor: Actor, to: Ground, speed = actor.speed): number {
    actor.standing = false;
    // Members of a group do not give way to each other.
    const { group } = actor;
    const others = group === null ? this.#actors : this.#actors.filter((other) => other.group !== group);
    const pace = actor.isAhead ? 0.5 * speed : speed;
    actor.isAhead = false;
    return walk(actor, to, { speed: pace, seconds: STEP_MS / 1000, others });
  }

  /** Stands, and sometimes turns the head. */
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

  #work(actor: Actor, doing: Extract<Doing, { kind: 'working' }>): void {
    const [left, next, ...later] = doing.stops;
    if (next && this.#timeMs >= doing.untilMs) {
      doing.stops = [next, ...later, left];
      doing.untilMs = this.#timeMs + 1000 * actor.random.between(...WORKS_SECONDS);
    }
    const { towards } = doing;
    const [stop] = doing.stops;
    if (Math.hypot(stop.x - actor.x, stop.z - actor.z) > (actor.standing ? 0.25 : 0.08))
      this.#move(actor, stop);
    else this.#stand(actor, Math.atan2(towards.x - actor.x, towards.z - actor.z));
  }

  #join(actor: Actor): void {
    const slot = this.place.line.slots[this.#line.length];
    if (!slot) {
      actor.outcome = 'passedBy';
      const z = Math.min(11.5, Math.max(6.5, actor.z + actor.random.between(-2, 2)));
      actor.doing = { kind: 'walking', route: [this.place.view.beyondEdge(-1, z)], restedMs: 0 };
      return;
    }
    const beside = { x: slot.x - 1.5, z: slot.z + 0.25 };
    if (this.#move(actor, beside) > 0.7) return;
    if (this.#line.length > 0 && this.#closeMs < CLOSE_SHARE * this.#lineMs)
      actor.slots = this.place.line.closeSlots;
    const place = this.#line.push(actor) - 1;
    actor.inLine = true;
    // Also without a line, a person stops for a moment before going on.
    const moveAtMs = this.#timeMs + 1000 * actor.random.between(3.5, 5);
    actor.doing = { kind: 'inLine', sinceMs: this.#timeMs, place, moveAtMs };
  }

  #wait(actor: Actor, doing: Extract<Doing, { kind: 'inLine' }>): void {
    if (this.#timeMs - doing.sinceMs > actor.patienceMs && doing.place > 0 && actor.standing) {
      this.#leaveLine(actor, 1.5);
      actor.outcome = 'abandoned';
      // Away from the line, not along it.
      const aside = { x: actor.x - 1.4, z: actor.z - 1.5 };
      const out = this.place.view.beyondEdge(-1, aside.z - actor.random.between(0, 0.5));
      actor.doing = { kind: 'walking', route: [aside, out], restedMs: 0 };
      return;
    }
    const slot = slotOf(actor, doing.place);
    const target = plus(slot, actor.offset);
    const ahead = this.place.line.slots[doing.place - 1] ?? this.place.lookout;
    const towards = Math.atan2(ahead.x - slot.x, ahead.z - slot.z);
    const left = Math.hypot(target.x - actor.x, target.z - actor.z);
    if (left < 0.06 || (actor.standing && this.#timeMs < doing.moveAtMs)) this.#stand(actor, towards);
    else this.#move(actor, target);
  }

  #accompany(actor: Actor, doing: Extract<Doing, { kind: 'accompanying' }>): void {
    const { leader, waitsTogether } = doing;
    actor.outcome = waitsTogether ? leader.outcome : 'passedBy';
    actor.inLine = waitsTogether && leader.inLine;
    if (leader.doing.kind === 'walking' && leader.doing.route.length === 0) {
      actor.doing = { kind: 'walking', route: [{ x: leader.x, z: leader.z }], restedMs: 0 };
      return;
    }
    const target = companionPlace(doing);
    const left = Math.hypot(target.x - actor.x, target.z - actor.z);
    leader.isAhead ||= left > FALLEN_BEHIND_METRES && doing.waitsAt === undefined;
    if (left < 0.12 || (leader.standing && actor.standing && left < 0.3)) this.#stand(actor, leader.heading);
    else this.#move(actor, target, HURRY * leader.speed);
  }

  #toCounter(actor: Actor, doing: Extract<Doing, { kind: 'toCounter' }>): void {
    if (this.#timeMs < doing.startAtMs) return;
    if (this.#move(actor, doing.counter.stand) >= 0.08) return;
    const untilMs = this.#timeMs + 1000 * this.#serviceSeconds();
    actor.doing = { kind: 'served', counter: doing.counter, untilMs };
  }

  #serviceSeconds(): number {
    const random = this.#service;
    return random.chance(0.15) ? random.between(18, 28) : random.between(8.5, 16.5);
  }

  #beServed(actor: Actor, doing: Extract<Doing, { kind: 'served' }>): void {
    const { counter } = doing;
    if (this.#timeMs < doing.untilMs) {
      const { stand, terminal } = counter;
      this.#stand(actor, Math.atan2(terminal.x - stand.x, terminal.z - stand.z));
      return;
    }
    actor.outcome = 'completed';
    counter.isTaken = false;
    const [only, ...others] = counter.exits;
    const exit = others.length > 0 ? actor.random.pick(counter.exits) : only;
    actor.doing = { kind: 'walking', route: [...exit], restedMs: 0 };
  }
}

/** Nobody joins a line without a free place. */
const slotOf = ({ slots }: Actor, place: number): Ground => slots[place]!;

/** Where a companion goes or stays now. */
function companionPlace(doing: Extract<Doing, { kind: 'accompanying' }>): Ground {
  const { leader, companion, waitsTogether } = doing;
  const lead = leader.doing;
  const isBusy = lead.kind === 'inLine' || lead.kind === 'toCounter' || lead.kind === 'served';
  if (isBusy && !waitsTogether) {
    doing.waitsAt ??= plus(leader, companion.aside);
    return doing.waitsAt;
  }
  delete doing.waitsAt;
  if (lead.kind === 'inLine') return plus(plus(slotOf(leader, lead.place), leader.offset), companion.inLine);
  if (lead.kind === 'served') return plus(lead.counter.stand, companion.atCounter);
  return inFormation(leader, companion);
}
