import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../http/errors.ts';
import type { Context } from '../../platform/context.ts';

/** 32 MB and about a quarter of a second of a core for each hash. The parameters stand in the hash, so that later ones can be stronger. */
const COST = { logN: 15, r: 8, p: 3 };
const HASH_BYTES = 32;
const STORED = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;

/** Hashes at once: half of the threads that Node also needs for files and names of hosts. */
const AT_ONCE = 2;
/** Hashes that wait; about four seconds of work on two cores. */
const MOST_WAITING = 30;

/** Lets a few work at once and a bounded number wait. */
class Gate {
  #working = 0;
  readonly #waiting: (() => void)[] = [];

  /** @throws ApiError SERVICE_UNAVAILABLE when too many wait */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#working >= AT_ONCE) {
      if (this.#waiting.length >= MOST_WAITING) {
        const message = 'Too many people sign in at this moment: try again in a few seconds';
        throw new ApiError('SERVICE_UNAVAILABLE', message, [], { retryAfterSeconds: 3 });
      }
      // Whoever ends hands its place over.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#working += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#working -= 1;
    }
  }
}

const makeGate = () => new Gate();

/** Hashes and checks passwords with scrypt; a flood of sign-ins occupies at most two threads of a program. */
export class Passwords {
  readonly #gate: Gate;
  readonly #cost: typeof COST;

  constructor({ shared, passwordCost = COST }: Pick<Context, 'shared' | 'passwordCost'>) {
    this.#gate = shared.get(makeGate);
    this.#cost = passwordCost;
  }

  /** @returns the form that is stored: parameters, salt and hash */
  async hash(password: string): Promise<string> {
    const { logN, r, p } = this.#cost;
    const salt = randomBytes(16);
    const made = await this.#derive(password, salt, this.#cost);
    return ['scrypt', logN, r, p, salt.toString('base64url'), made.toString('base64url')].join('$');
  }

  /** @param stored null for a user without a password or an unknown user: it takes the same time, and nothing matches */
  async isRight(password: string, stored: string | null): Promise<boolean> {
    const [, logN, r, p, salt, hash] = STORED.exec(stored ?? '') ?? [];
    if (!salt || !hash) {
      await this.#derive(password, Buffer.alloc(16), this.#cost);
      return false;
    }
    const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
    const made = await this.#derive(password, Buffer.from(salt, 'base64url'), cost);
    const wanted = Buffer.from(hash, 'base64url');
    return made.length === wanted.length && timingSafeEqual(made, wanted);
  }

  #derive(password: string, salt: Buffer, { logN, r, p }: typeof COST): Promise<Buffer> {
    const N = 2 ** logN;
    const options: ScryptOptions = { N, r, p, maxmem: 256 * r * (N + p + 2) };
    // Keyboards write the same letter in different ways.
    const text = password.normalize('NFKC');
    return this.#gate.pass(
      () =>
        new Promise((resolve, reject) => {
          scrypt(text, salt, HASH_BYTES, options, (error, made) => (error ? reject(error) : resolve(made)));
        }),
    );
  }
}
