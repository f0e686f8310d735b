import { classesOf, type Edges, inClassOf } from './classes.ts';

/** How often somebody was passed by people behind him. */
const PASSED: Edges = [0, 1, 2, 4, 8, 16];
const MOST_PASSED = 16;
const FADE_AFTER = 2000;
/** Before anything was seen, a line is a line: as sure as after this many turns. */
const GUESS = { share: 0.97, turns: 20 };

/**
 * Who is taken when a service begins: mostly the first, but a line may be several (a line each till, kinds of service, important
 * customers). Who was passed often is likelier to be passed again, because nobody who is there serves him.
 */
export class Turns {
  private readonly classes = classesOf(PASSED, (from, to) => ({ from, to, taken: 0, asked: 0 }));

  /** By how often one was passed: asked for each person of each future. */
  private readonly shares = new Float64Array(MOST_PASSED + 1).fill(GUESS.share);

  /** Share of those who were passed so often that are taken when it is their turn. */
  share(passed: number): number {
    return this.shares[Math.min(passed, MOST_PASSED)]!;
  }

  ask(passed: number, taken: boolean): void {
    const like = inClassOf(this.classes, passed);
    like.asked += 1;
    if (taken) like.taken += 1;
    if (like.asked > FADE_AFTER) {
      like.asked *= 0.5;
      like.taken *= 0.5;
    }
    const share = (like.taken + GUESS.share * GUESS.turns) / (like.asked + GUESS.turns);
    this.shares.fill(share, like.from, like.to);
  }
}
