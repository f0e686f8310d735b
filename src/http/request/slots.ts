import { ApiError } from '../errors.ts';

export interface SlotLimits {
  readonly perUser: number;
  readonly perProgram: number;
  /** What to do when no slot is free; begins with what is under way. */
  readonly message: string;
  readonly retryAfterSeconds: number;
}

/** Bounds how many calls of a kind are under way at once in this program. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #byUser = new Map<string, number>();
  #all = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** @throws ApiError RATE_LIMITED when too many are under way */
  async hold<Result>(userId: string, run: () => Promise<Result>): Promise<Result> {
    const { perUser, perProgram, message, retryAfterSeconds } = this.#limits;
    const own = this.#byUser.get(userId) ?? 0;
    if (own >= perUser || this.#all >= perProgram)
      throw new ApiError('RATE_LIMITED', message, [], { retryAfterSeconds });
    this.#byUser.set(userId, own + 1);
    this.#all += 1;
    try {
      return await run();
    } finally {
      const left = (this.#byUser.get(userId) ?? 0) - 1;
      if (left > 0) this.#byUser.set(userId, left);
      else this.#byUser.delete(userId);
      this.#all -= 1;
    }
  }
}
