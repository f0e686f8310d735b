import { apparentHeight, PICTURE_HEIGHT, PICTURE_WIDTH, project } from '../camera.ts';
import type { Person } from '../shop-world.ts';
import { drawBackground, drawProps, type Prop } from './background.ts';
import { CELL, drawPerson } from './draw-person.ts';
import { FACINGS, WALK_PHASES } from './pose.ts';
import { blit, rasterise, type Sprite } from './sprite.ts';
import { SpriteStore } from './sprite-store.ts';

/** Several seconds of a full shop; whoever left needs none, and a lane with many shops is not to fill up for minutes. */
const STORE_BYTES = 16 * 2 ** 20;
/** Sizes go in steps of 4 %: less than can be seen from one frame to the next. */
const SIZE_STEP = 1.04;
const SMALLEST_PX = 40;
const SIZES = 80;
const CYCLE_METRES = 1.35;
const MARGIN_PX = 160;

/** One person as drawn: pixels of the picture, unclipped; `facing` as in pose.ts. */
export interface DrawnPerson {
  readonly person: Person;
  readonly facing: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Placed {
  z: number;
  x: number;
  y: number;
  facing: number;
  sprite: Sprite | null;
  shadow: Sprite | null;
  person: Person | null;
}

interface Sprites {
  readonly background: Uint8Array;
  readonly props: readonly Prop[];
  readonly shadows: readonly Sprite[];
}

/** Draws the shop's people at their places. Sprites are asked for ahead of time and drawn from memory. */
export class ShopRenderer {
  readonly #fixed: Sprites;
  readonly #store = new SpriteStore(STORE_BYTES);
  /** Reused from frame to frame; the first `#placed` entries count, far to near. */
  readonly #order: Placed[] = [];
  #placed = 0;

  private constructor(fixed: Sprites) {
    this.#fixed = fixed;
  }

  static async create(): Promise<ShopRenderer> {
    const sizes = Array.from({ length: SIZES }, (_, size) => drawShadow(sizePx(size)));
    const [background, props, shadows] = await Promise.all([
      drawBackground(),
      drawProps(),
      Promise.all(sizes),
    ]);
    return new ShopRenderer({ background, props, shadows });
  }

  /** Starts drawing what these people need as they stand now. */
  request(people: readonly Person[]): void {
    for (const person of people) {
      if (!isNearPicture(person)) continue;
      const [facing, phase, size] = [facingOf(person), phaseOf(person), sizeOf(person)];
      this.#store.request(keyOf(person, facing, phase, size), () => {
        const scale = sizePx(size) / 100;
        const cell = { width: Math.round(CELL.width * scale), height: Math.round(CELL.height * scale) };
        const anchor = { column: Math.round(-CELL.left * scale), row: 'sole' } as const;
        return rasterise(drawPerson(person.costume, facing, phase), cell, anchor);
      });
    }
  }

  /** Waits until everything needed to draw these people is there. */
  async ready(people: readonly Person[]): Promise<void> {
    this.request(people);
    for (const person of people) {
      if (!isNearPicture(person)) continue;
      const key = keyOf(person, facingOf(person), phaseOf(person), sizeOf(person));
      if (!this.#store.get(key)) await this.#store.ready(key);
    }
  }

  /**
   * Draws one frame. A person whose sprite is not ready is left out, so wait for `ready` first.
   * @param into rgb24, PICTURE_WIDTH × PICTURE_HEIGHT
   */
  draw(people: readonly Person[], timeMs: number, into: Uint8Array): void {
    this.#place(people, timeMs);
    into.set(this.#fixed.background);
    const canvas = { pixels: into, width: PICTURE_WIDTH, height: PICTURE_HEIGHT };
    for (let i = 0; i < this.#placed; i++) {
      const { shadow, x, y } = this.#order[i]!;
      if (shadow) blit(canvas, shadow, x, y);
    }
    for (let i = 0; i < this.#placed; i++) {
      const { sprite, x, y } = this.#order[i]!;
      if (sprite) blit(canvas, sprite, x, y);
    }
  }

  /** The people of the frame drawn last, far to near. */
  drawn(): DrawnPerson[] {
    return this.#order.slice(0, this.#placed).flatMap(({ person, sprite, facing, x, y }) => {
      if (!person || !sprite) return [];
      const { left, top, right, bottom } = sprite.box;
      return [{ person, facing, left: x + left, top: y + top, right: x + right, bottom: y + bottom }];
    });
  }

  #place(people: readonly Person[], timeMs: number): void {
    this.#placed = 0;
    for (const prop of this.#fixed.props) {
      const placed = this.#insert(prop.at.z);
      const [x, y] = project(prop.at);
      placed.x = Math.round(x * PICTURE_WIDTH);
      placed.y = Math.round(y * PICTURE_HEIGHT);
      placed.sprite = prop.sprite;
      placed.shadow = null;
      placed.person = null;
    }
    for (const person of people) {
      if (!isNearPicture(person)) continue;
      const placed = this.#insert(person.z);
      const size = sizeOf(person);
      placed.facing = facingOf(person);
      const [x, y] = project(person);
      placed.x = Math.round(x * PICTURE_WIDTH + swayPx(person, timeMs));
      placed.y = Math.round(y * PICTURE_HEIGHT);
      placed.sprite = this.#store.get(keyOf(person, placed.facing, phaseOf(person), size));
      placed.shadow = this.#fixed.shadows[size] ?? null;
      placed.person = person;
    }
  }

  /** A place in the order far to near. */
  #insert(z: number): Placed {
    const fresh = this.#order[this.#placed] ?? newPlaced();
    let at = this.#placed++;
    for (; at > 0 && this.#order[at - 1]!.z < z; at--) this.#order[at] = this.#order[at - 1]!;
    this.#order[at] = fresh;
    fresh.z = z;
    return fresh;
  }
}

const newPlaced = (): Placed => ({ z: 0, x: 0, y: 0, facing: 0, sprite: null, shadow: null, person: null });

function isNearPicture(person: Person): boolean {
  const x = project(person)[0] * PICTURE_WIDTH;
  return x > -MARGIN_PX && x < PICTURE_WIDTH + MARGIN_PX;
}

function facingOf(person: Person): number {
  const eighths = ((person.heading - Math.atan2(person.x, person.z)) / (2 * Math.PI)) * FACINGS;
  return ((Math.round(eighths) % FACINGS) + FACINGS) % FACINGS;
}

/** null stands. */
function phaseOf(person: Person): number | null {
  if (person.standing) return null;
  return Math.floor((person.walkedMetres / CYCLE_METRES) * WALK_PHASES) % WALK_PHASES;
}

function sizeOf(person: Person): number {
  const px = apparentHeight(person.z, person.costume.heightMetres) * PICTURE_HEIGHT;
  const size = Math.round(Math.log(px / SMALLEST_PX) / Math.log(SIZE_STEP));
  return Math.max(0, Math.min(SIZES - 1, size));
}

const sizePx = (size: number): number => SMALLEST_PX * SIZE_STEP ** size;

const keyOf = (person: Person, facing: number, phase: number | null, size: number): number =>
  ((person.id * FACINGS + facing) * (WALK_PHASES + 1) + (phase ?? WALK_PHASES)) * SIZES + size;

/** Who stands shifts their weight: a centimetre or two. */
function swayPx(person: Person, timeMs: number): number {
  if (!person.standing) return 0;
  const metrePx = (apparentHeight(person.z, 1) * PICTURE_HEIGHT) / 1;
  return 0.018 * metrePx * Math.sin((2 * Math.PI * timeMs) / (3400 + (person.id % 7) * 260) + person.id);
}

function drawShadow(bodyPx: number): Promise<Sprite> {
  const width = Math.max(4, Math.round(bodyPx * 0.34));
  const height = Math.max(3, Math.round(bodyPx * 0.07));
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 20" preserveAspectRatio="none"><defs><radialGradient id="g">' +
    '<stop offset="0" stop-color="#000" stop-opacity=".42"/><stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient></defs>' +
    '<rect width="100" height="20" fill="url(#g)"/></svg>';
  return rasterise(svg, { width, height }, { column: width >> 1, row: Math.round(height * 0.6) });
}
