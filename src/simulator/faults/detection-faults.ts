import { legsOf, torsoOf } from '../../vision/body.ts';
import { height, width } from '../../vision/geometry.ts';
import type { Box, Detection } from '../../vision/types.ts';
import { createRandom, type Random } from '../random.ts';
import { normal, Wander } from '../wander.ts';
import { type BoxView, boxViewOf, footOf, type PlacedBox } from './box-cover.ts';
import { type FaultRates, valueAt } from './fault-rates.ts';

/** The truth about one person. */
export interface Body extends PlacedBox {
  readonly id: number;
  /** Colours of torso and legs, 0-255. */
  readonly clothes: readonly number[];
}

const EDGES = ['left', 'right', 'top', 'bottom'] as const;
type Edge = (typeof EDGES)[number];
type Wanders = Readonly<Record<Edge | 'found' | 'partial' | 'duplicate' | 'torso' | 'legs', Wander>>;

const LEAST_SCORE = 0.1;
const SURE_SCORE = 0.6;
const HIGHEST_SCORE = 0.95;
/** Half of the sure boxes score more than 0.88, as on MOT17. */
const SCORE_POWER = 0.3;
/** Half of the false boxes score less than 0.21, a quarter more than 0.48 … */
const FALSE_SCORE_POWER = 3;
/** … and half of the unsure second boxes score less than 0.16. */
const SECOND_SCORE_POWER = 3;
const FALSE_HEIGHTS = [0.12, 0.5] as const;
const WIDTH_PER_HEIGHT = 0.17;
/** Colour beside people. */
const FLOOR = [150, 148, 142];
/** Share of a box's width that the body fills. */
const BODY_WIDTH = 0.7;
/** Least size of a box, as a share of the body. */
const LEAST_SIZE = 0.3;

interface FoundBox {
  readonly box: Box;
  readonly score: number;
  /** Change of the colours of torso and legs by light and folds. */
  readonly shades: readonly number[];
}

const CHANNELS = [0, 1, 2];
const NO_SHADES = new Array<number>(6).fill(0);

/**
 * Turns people into the boxes of a real detector: missed and unsure ones, upper bodies only, second boxes, false boxes and
 * edges with errors. The same seed, people and times give the same boxes.
 */
export class DetectionFaults {
  readonly #seed: number;
  readonly #rates: FaultRates;
  readonly #random: Random;
  readonly #people = new Map<number, { random: Random; wanders: Wanders }>();
  #falseBoxes: FoundBox[] = [];
  #lastMs: number | null = null;

  constructor(seed: number, rates: FaultRates) {
    this.#seed = seed;
    this.#rates = rates;
    this.#random = createRandom(seed, 5);
  }

  /** @param timeMs rises from call to call */
  detect(bodies: readonly Body[], timeMs: number): Detection[] {
    const seconds = this.#lastMs === null ? 0 : (timeMs - this.#lastMs) / 1000;
    this.#lastMs = timeMs;
    const present = new Set(bodies.map(({ id }) => id));
    for (const id of this.#people.keys()) if (!present.has(id)) this.#people.delete(id);
    const boxes = bodies.flatMap((body) => this.#find(body, boxViewOf(body, bodies), seconds));
    const nearestFirst = bodies.toSorted((a, b) => footOf(b) - footOf(a));
    return [...boxes, ...this.#falseDetections(seconds)].map(({ box, score, shades }) => {
      const colours = [...coloursOf(torsoOf(box), nearestFirst), ...coloursOf(legsOf(box), nearestFirst)];
      const appearance = colours.map((value, at) => Math.max(0, Math.min(255, value + shades[at]!)));
      return { box, score, classId: 0, appearance };
    });
  }

  #find({ id, box: body }: Body, view: BoxView, seconds: number): FoundBox[] {
    const rates = this.#rates;
    const { random, wanders } = this.#personOf(id);
    const rank = (of: keyof Wanders) => wanders[of].next(seconds);
    const { missed, unsure } = valueAt(valueAt(rates.found, view.visible), height(body));
    const found = rank('found');
    const partialRate = valueAt(rates.partial, view.legs);
    const partial = rank('partial');
    const scales = valueAt(rates.edges, view.visible);
    const off = Object.fromEntries(EDGES.map((edge) => [edge, scales[edge] * laplace(rank(edge))]));
    const duplicate = rank('duplicate');
    const { duplicateAt, duplicateSpread } = rates;
    const beside = EDGES.map((edge) => [edge, duplicateAt[edge] + duplicateSpread[edge] * normal(random)]);
    const lights = [rank('torso'), rank('legs')].map((one) => rates.light * laplace(one));
    const shades = lights.flatMap((light) => CHANNELS.map(() => light + rates.tint * normal(random)));
    if (found < missed || body.right <= 0 || body.left >= 1) return [];
    const [least, most] = rates.partialShown;
    const shown = partial < partialRate ? least + (most - least) * (partial / partialRate) : 1;
    const box = moved(
      { ...body, bottom: body.top + shown * height(body) },
      off as Record<Edge, number>,
      body,
    );
    const first = { box, score: scoreOf(found, missed, unsure), shades };
    if (duplicate >= rates.duplicate) return [first];
    const second = moved(body, Object.fromEntries(beside) as Record<Edge, number>, body);
    return [first, { box: second, score: secondScoreOf(duplicate, rates), shades }];
  }

  #personOf(id: number): { random: Random; wanders: Wanders } {
    const known = this.#people.get(id);
    if (known) return known;
    const { foundMemory, partialMemory, edgeMemory, duplicateMemory, lightMemory } = this.#rates;
    const random = createRandom(this.#seed, 6, id);
    const edge = () => new Wander(random, edgeMemory);
    const wanders: Wanders = {
      found: new Wander(random, foundMemory),
      partial: new Wander(random, partialMemory),
      duplicate: new Wander(random, duplicateMemory),
      ...{ left: edge(), right: edge(), top: edge(), bottom: edge() },
      ...{ torso: new Wander(random, lightMemory), legs: new Wander(random, lightMemory) },
    };
    const fresh = { random, wanders };
    this.#people.set(id, fresh);
    return fresh;
  }

  /** Boxes of nobody; as many appear as vanish. */
  #falseDetections(seconds: number): FoundBox[] {
    const { falseBoxes, falseBoxSeconds } = this.#rates;
    const random = this.#random;
    const stays = Math.exp(-seconds / falseBoxSeconds);
    this.#falseBoxes = this.#falseBoxes.filter(() => random.chance(stays));
    const mean = falseBoxes * (this.#falseBoxes.length === 0 && seconds === 0 ? 1 : 1 - stays);
    for (let left = poisson(random, mean); left > 0; left--) {
      const [low, high] = FALSE_HEIGHTS;
      const tall = low + (high - low) * random.next() ** 2;
      const middle = random.next();
      const bottom = random.between(0.3, 1.1);
      const half = (tall * WIDTH_PER_HEIGHT) / 2;
      const score = LEAST_SCORE + (1 - LEAST_SCORE) * random.next() ** FALSE_SCORE_POWER;
      const box = { left: middle - half, right: middle + half, top: bottom - tall, bottom };
      this.#falseBoxes.push({ box, score, shades: NO_SHADES });
    }
    return this.#falseBoxes;
  }
}

/** Rarer errors are left out: in the measurement of the rates, a box with such an error counted as missed. */
const RAREST = 0.03;

/** Laplace distribution with a mean absolute value of 1. @param rank 0-1 */
function laplace(rank: number): number {
  const fromMiddle = rank - 0.5;
  return -Math.sign(fromMiddle) * Math.log(Math.max(RAREST, 1 - 2 * Math.abs(fromMiddle)));
}

function scoreOf(rank: number, missed: number, unsure: number): number {
  if (rank < missed + unsure) return LEAST_SCORE + ((SURE_SCORE - LEAST_SCORE) * (rank - missed)) / unsure;
  const part = (rank - missed - unsure) / (1 - missed - unsure);
  return SURE_SCORE + (HIGHEST_SCORE - SURE_SCORE) * part ** SCORE_POWER;
}

function secondScoreOf(rank: number, { duplicate, sureDuplicate }: FaultRates): number {
  if (rank < sureDuplicate) return SURE_SCORE + 0.3 * (rank / sureDuplicate);
  const part = (rank - sureDuplicate) / (duplicate - sureDuplicate);
  return LEAST_SCORE + (SURE_SCORE - LEAST_SCORE) * part ** SECOND_SCORE_POWER;
}

/** @param by error of each edge in widths and heights of `body` */
function moved(box: Box, by: Readonly<Record<Edge, number>>, body: Box): Box {
  const [wide, tall] = [width(body), height(body)];
  const left = box.left + by.left * wide;
  const top = box.top + by.top * tall;
  return {
    ...{ left, top },
    right: Math.max(left + LEAST_SIZE * wide, box.right + by.right * wide),
    bottom: Math.max(top + LEAST_SIZE * tall, box.bottom + by.bottom * tall),
  };
}

function poisson(random: Random, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random.next(); product > limit; product *= random.next()) count++;
  return count;
}

/** Mean colour of a part of a box: of the nearest person at each of twelve points, or the floor. */
function coloursOf(part: Box, nearestFirst: readonly Body[]): number[] {
  const colours: (readonly number[])[] = [];
  for (let row = 0; row < 4; row++) {
    const y = part.top + ((row + 0.5) / 4) * height(part);
    for (let column = 0; column < 3; column++) {
      const x = part.left + ((column + 0.5) / 3) * width(part);
      const shown = nearestFirst.find(({ box }) => fills(box, x, y));
      const upper = shown && y < shown.box.top + 0.5 * height(shown.box);
      colours.push(shown ? shown.clothes.slice(upper ? 0 : 3, upper ? 3 : 6) : FLOOR);
    }
  }
  return CHANNELS.map((channel) => colours.reduce((sum, colour) => sum + colour[channel]!, 0) / 12);
}

function fills(box: Box, x: number, y: number): boolean {
  const fromMiddle = Math.abs(x - (box.left + box.right) / 2);
  return y >= box.top && y <= box.bottom && fromMiddle <= (BODY_WIDTH * width(box)) / 2;
}
