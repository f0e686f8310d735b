import type { LaneAnswer, LaneQuestion, ToLane } from './lane-protocol.ts';

type AnswerTo<Q extends LaneQuestion> = Extract<
  LaneAnswer,
  { type: Q['type'] extends 'measure' ? 'measured' : 'image' }
>;

/** Questions to lanes that wait for their answers. */
export class LaneRequests {
  readonly #waiting = new Map<number, (answer: LaneAnswer | null) => void>();
  #lastId = 0;

  /** @returns the answer; null when none came in time, or after `giveUp` */
  ask<Q extends LaneQuestion>(
    lane: { send(message: ToLane): void },
    question: Q,
    timeoutMs: number,
  ): Promise<AnswerTo<Q> | null> {
    const requestId = ++this.#lastId;
    const answered = new Promise<LaneAnswer | null>((resolve) => {
      this.#waiting.set(requestId, resolve);
      lane.send({ requestId, ...question });
    });
    const timer = setTimeout(() => this.#settle(requestId, null), timeoutMs);
    return answered.finally(() => clearTimeout(timer)) as Promise<AnswerTo<Q> | null>;
  }

  answer(answer: LaneAnswer): void {
    this.#settle(answer.requestId, answer);
  }

  /** Waits for no answer any more. */
  giveUp(): void {
    for (const requestId of [...this.#waiting.keys()]) this.#settle(requestId, null);
  }

  #settle(requestId: number, answer: LaneAnswer | null): void {
    this.#waiting.get(requestId)?.(answer);
    this.#waiting.delete(requestId);
  }
}
