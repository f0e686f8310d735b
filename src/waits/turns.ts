/** How often somebody was passed by people behind him. */
const PASSED = [0, 1, 2, 4, 8, 16];
const FADE_AFTER = 2000;
/** Before anything was seen, a line is a line: as sure as after this many turns. */
const GUESS = { share: 0.97, turns: 20 };

export function passedClass(passed: number): number {
  let at = PASSED.length - 1;
  while (at > 0 && PASSED[at]! > passed) at--;
  return at;
}

/**
 * Who is taken when a service begins: mostly the first, but a line may be several (a line each till, kinds of service, important
 * customers). Who was passed often is likelier to be passed again, because nobody who is there serves him.
 */
export class Turns {
  /** Share of those who are taken when it is their turn, by class. */
  readonly share = new Float64Array(PASSED.length).fill(GUESS.share);
  private readonly taken = new Float64Array(PASSED.length);
  private readonly asked = new Float64Array(PASSED.length);

  ask(passed: number, taken: boolean): void {
    const at = passedClass(passed);
    this.asked[at]! += 1;
    if (taken) this.taken[at]! += 1;
    if (this.asked[at]! > FADE_AFTER) {
      this.asked[at]! *= 0.5;
      this.taken[at]! *= 0.5;
    }
    this.share[at] = (this.taken[at]! + GUESS.share * GUESS.turns) / (this.asked[at]! + GUESS.turns);
  }
}
