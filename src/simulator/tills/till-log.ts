import { inside } from '../shop-log.ts';
import { STEP_MS } from '../shop-world.ts';
import type { TillWorld, TrueState } from './till-world.ts';

/** A service as it happened; seconds. */
export interface TrueService {
  readonly person: number;
  readonly tillId: string;
  readonly from: number;
  /** The last moment where the shop ends first. */
  to: number;
}

/** What is true of the tills of a shop. */
export interface TillTruth {
  readonly tillIds: readonly string[];
  /** By second, the state of each till in the middle of it. */
  readonly states: readonly (readonly TrueState[])[];
  readonly services: readonly TrueService[];
}

interface Stay extends TrueService {
  isServed: boolean;
}

/**
 * Records the truth about tills, step by step. A service lasts while the feet of a customer who is served there are in the till,
 * without a threshold.
 */
export class TillLog {
  readonly #stays: Stay[] = [];
  readonly #open = new Map<string, Stay>();
  /** Whether each till is open, in the middle of each second. */
  readonly #states: TrueState[][] = [];
  #tillIds: readonly string[] = [];

  /** Call it at each step of the world. */
  observe(world: TillWorld): void {
    const tills = world.shop.scenes.flatMap((scene) => scene.tills ?? []);
    const seconds = world.timeMs / 1000;
    this.#tillIds = tills.map(({ id }) => id);
    const { served } = world;
    for (const person of world.people) {
      if (person.isStaff) continue;
      const [x, y] = world.place.view.project(person);
      for (const till of tills) {
        const key = `${person.id} ${till.id}`;
        const stay = this.#open.get(key);
        if (!inside(till, x, y)) {
          this.#open.delete(key);
          continue;
        }
        const now = stay ?? this.#begin(key, person.id, till.id, seconds);
        now.to = seconds;
        now.isServed ||= served.get(person.id) === till.id;
      }
    }
    if (world.timeMs % 1000 === 500) this.#states.push([...world.states]);
  }

  truth(): TillTruth {
    const services = this.#stays.filter(({ isServed, from, to }) => isServed && to - from >= STEP_MS / 1000);
    const states = this.#states.map((second, at) =>
      second.map((state, till): TrueState => {
        const isServing = services.some(
          ({ tillId, from, to }) => tillId === this.#tillIds[till] && from <= at + 0.5 && at + 0.5 < to,
        );
        if (isServing) return 'serving';
        return state === 'serving' ? 'free' : state;
      }),
    );
    return {
      tillIds: this.#tillIds,
      states,
      services: services.map(({ person, tillId, from, to }) => ({ person, tillId, from, to })),
    };
  }

  #begin(key: string, person: number, tillId: string, from: number): Stay {
    const stay: Stay = { ...{ person, tillId, from, to: from }, isServed: false };
    this.#open.set(key, stay);
    this.#stays.push(stay);
    return stay;
  }
}
