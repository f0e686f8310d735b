import { randomInt } from 'node:crypto';
import { sendsAnything } from './fuzz.ts';

/** `FUZZ_REQUESTS=1000000` sends more; `FUZZ_SEED`, as the name of the test says it, sends the same again. */
const { FUZZ_REQUESTS = 20_000, FUZZ_SEED = randomInt(2 ** 31) } = process.env;

sendsAnything(Number(FUZZ_REQUESTS), Number(FUZZ_SEED));
