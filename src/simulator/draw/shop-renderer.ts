import type { Box } from '../../vision/types.ts';
import { FRAME_HEIGHT, FRAME_WIDTH, type Ground, type View } from '../camera.ts';
import { carriedBlock } from '../furniture.ts';
import type { Person } from '../person.ts';
import type { Place } from '../place.ts';
import { drawBackground, drawCarried, drawProps, type Prop } from './background.ts';
import { CELL, drawPerson } from './draw-person.ts';
import { FACINGS, WALK_PHASES } from './pose.ts';
import { blit, rasterise, type Sprite } from './sprite.ts';
import { SpriteStore } from './sprite-store.ts';

/** Enough for several seconds of a full shop; small, as a lane may have many shops. */
const STORE_BYTES = 16 * 2 ** 20;
/** Ratio of two sizes of sprites, too small to be visible from one frame to the next. */
const SIZE_STEP = 1.04;
const SMALLEST_PX = 40;
const SIZES = 80;
const CYCLE_METRES = 1.35;
const MARGIN_PX = 160;

/** One drawn person with their box: pixels of the frame, unclipped; `facing` as in pose.ts. */
export interface DrawnPerson extends Box {
  readonly person: Person;
  readonly facing: number;
}

interface Placed {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly sprite: Sprite | null;
  /** null for things. */
  readonly of: { readonly person: Person; readonly facing: number; readonly shadow: Sprite | null } | null;
}

interface Sprites {
  readonly background: Uint8Array;
  readonly props: readonly Prop[];
  readonly shadows: readonly Sprite[];
  readonly view: View;
}

/** Draws the people of the shop. Sprites are made ahead of time and drawn from memory. */
export class ShopRenderer {
  readonly #fixed: Sprites;
  readonly #store = new SpriteStore(STORE_BYTES);
  /** Far to near. */
  #order: readonly Placed[] = [];

  private constructor(fixed: Sprites) {
    this.#fixed = fixed;
  }

  static async create(place: Place): Promise<ShopRenderer> {
    const sizes = Array.from({ length: SIZES }, (_, size) => drawShadow(sizePx(size)));
    const [background, props, shadows] = await Promise.all([
      drawBackground(place),
      drawProps(place),
      Promise.all(sizes),
    ]);
    return new ShopRenderer({ background, props, shadows, view: place.view });
  }

  /** Starts to make the sprites of these people. */
  request(people: readonly Person[]): void {
    const { view } = this.#fixed;
    for (const person of people) {
      if (!isNearFrame(person, view)) continue;
      this.#requestCarried(person);
      const [facing, phase, size] = [facingOf(person), phaseOf(person), sizeOf(person, view)];
      this.#store.request(keyOf(person, facing, phase, size), () => {
        const scale = sizePx(size) / 100;
        const cell = { width: Math.round(CELL.width * scale), height: Math.round(CELL.height * scale) };
        const anchor = { column: Math.round(-CELL.left * scale), row: 'sole' } as const;
        return rasterise(drawPerson(person.costume, facing, phase), cell, anchor);
      });
    }
  }

  /** Waits for the sprites of these people. */
  async ready(people: readonly Person[]): Promise<void> {
    this.request(people);
    const { view } = this.#fixed;
    for (const person of people) {
      if (!isNearFrame(person, view)) continue;
      const own = keyOf(person, facingOf(person), phaseOf(person), sizeOf(person, view));
      const carried = carriedKey(person, view);
      for (const key of carried === null ? [own] : [own, carried])
        if (!this.#store.get(key)) await this.#store.ready(key);
    }
  }

  /**
   * Draws one frame. A person without a sprite is left out, so wait for `ready` first.
   * @param into rgb24, FRAME_WIDTH × FRAME_HEIGHT
   */
  draw(people: readonly Person[], timeMs: number, into: Uint8Array): void {
    this.#place(people, timeMs);
    into.set(this.#fixed.background);
    const canvas = { pixels: into, width: FRAME_WIDTH, height: FRAME_HEIGHT };
    for (const { of, x, y } of this.#order) if (of?.shadow) blit(canvas, of.shadow, x, y);
    for (const { sprite, x, y } of this.#order) if (sprite) blit(canvas, sprite, x, y);
  }

  /** The people of the last frame, far to near. */
  drawn(): DrawnPerson[] {
    return this.#order.flatMap(({ of, sprite, x, y }) => {
      if (!of || !sprite) return [];
      const { person, facing } = of;
      const { left, top, right, bottom } = sprite.box;
      return [{ person, facing, left: x + left, top: y + top, right: x + right, bottom: y + bottom }];
    });
  }

  #requestCarried(person: Person): void {
    const { view } = this.#fixed;
    const { carries } = person;
    const key = carriedKey(person, view);
    if (carries === null || key === null) return;
    this.#store.request(key, () => drawCarried(carries, sizePx((-1 - key) % SIZES) * CARRIED_SCALE));
  }

  #place(people: readonly Person[], timeMs: number): void {
    const { view, props, shadows } = this.#fixed;
    const order: Placed[] = props.map(({ at, sprite }) => ({ ...pixelOf(at, 0, view), sprite, of: null }));
    for (const person of people) {
      if (!isNearFrame(person, view)) continue;
      const carried = carriedKey(person, view);
      const block = carriedBlock(person);
      if (carried !== null && block) {
        order.push({ ...pixelOf(block.at, 0, view), sprite: this.#store.get(carried), of: null });
      }
      const [size, facing] = [sizeOf(person, view), facingOf(person)];
      const sprite = this.#store.get(keyOf(person, facing, phaseOf(person), size));
      const of = { person, facing, shadow: shadows[size] ?? null };
      order.push({ ...pixelOf(person, swayPx(person, timeMs, view), view), sprite, of });
    }
    this.#order = order.sort((a, b) => b.z - a.z);
  }
}

function pixelOf(at: Ground, swayPx: number, view: View): Pick<Placed, 'x' | 'y' | 'z'> {
  const [x, y] = view.project(at);
  return { z: at.z, x: Math.round(x * FRAME_WIDTH + swayPx), y: Math.round(y * FRAME_HEIGHT) };
}

function isNearFrame(person: Person, view: View): boolean {
  const x = view.project(person)[0] * FRAME_WIDTH;
  return x > -MARGIN_PX && x < FRAME_WIDTH + MARGIN_PX;
}

function facingOf(person: Person): number {
  const eighths = ((person.heading - Math.atan2(person.x, person.z)) / (2 * Math.PI)) * FACINGS;
  return ((Math.round(eighths) % FACINGS) + FACINGS) % FACINGS;
}

/** null: standing. */
function phaseOf(person: Person): number | null {
  if (person.standing) return null;
  return Math.floor((person.walkedMetres / CYCLE_METRES) * WALK_PHASES) % WALK_PHASES;
}

function sizeOf(person: Person, view: View): number {
  const height = person.costume.heightMetres - person.seatedMetres;
  return sizeFor(view.apparentHeight(person.z, height) * FRAME_HEIGHT);
}

function sizeFor(px: number): number {
  const size = Math.round(Math.log(px / SMALLEST_PX) / Math.log(SIZE_STEP));
  return Math.max(0, Math.min(SIZES - 1, size));
}

const sizePx = (size: number): number => SMALLEST_PX * SIZE_STEP ** size;

const keyOf = (person: Person, facing: number, phase: number | null, size: number): number =>
  ((person.id * FACINGS + facing) * (WALK_PHASES + 1) + (phase ?? WALK_PHASES)) * SIZES + size;

/** Sizes of trolleys and baskets are those of people of twice their height. */
const CARRIED_SCALE = 0.5;

/** Key of the sprite of what a person pushes or has put down: below 0, unlike those of people. Null where there is none. */
function carriedKey(person: Person, view: View): number | null {
  const block = carriedBlock(person);
  if (!block || person.carries === null) return null;
  const px = view.apparentHeight(block.front, block.height) * FRAME_HEIGHT;
  return -1 - sizeFor(px / CARRIED_SCALE) - (person.carries === 'basket' ? SIZES : 0);
}

/** A standing person sways by a centimetre or two. */
function swayPx(person: Person, timeMs: number, view: View): number {
  if (!person.standing) return 0;
  const metrePx = (view.apparentHeight(person.z, 1) * FRAME_HEIGHT) / 1;
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
