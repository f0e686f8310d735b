import { inOrder, type LineVisit, momentsOf, tell } from '../../../src/waits/line-moments.ts';
import { WaitPredictor } from '../../../src/waits/wait-predictor.ts';

const DAY_SECONDS = 86_400;
/** Today's estimate: people in the queue by the completions of the last 15 minutes. */
const TODAY_SECONDS = 900;
const TODAY_COMPLETIONS = 3;

export interface Prediction {
  readonly person: string;
  readonly at: number;
  /** People in the line whom this one finds. */
  readonly ahead: number;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** A prediction with what two simple rules would have said, and with what happened. */
export interface Judged {
  readonly said: Prediction;
  readonly today: number | null;
  readonly lastWait: number | null;
  /** Seconds until the service began; null if it never did. */
  readonly served: number | null;
  /** Seconds until somebody who was never served left; null if he did not. */
  readonly gaveUp: number | null;
}

export interface Replayed {
  readonly judged: Judged[];
  /** Joins for which nothing was said, by reason. */
  readonly silent: Record<string, number>;
}

export interface ReplayOptions {
  /** Whether the predictor is told at which till somebody is served. */
  readonly tills: boolean;
  readonly learnDays: number;
  /** Told at each moment before it is played: what is known besides the log. */
  readonly before?: (predictor: WaitPredictor, at: number) => void;
}

/** Plays a log through the predictor in the order of time: each prediction knows what had happened before it and nothing else. */
export function replayVisits(visits: readonly LineVisit[], options: ReplayOptions): Replayed {
  const predictor = new WaitPredictor();
  const rules = new SimpleRules();
  const judged: Judged[] = [];
  const silent: Record<string, number> = {};
  const moments = visits
    .flatMap((visit) => momentsOf(visit).map((moment) => ({ ...moment, visit })))
    .sort(inOrder);
  const from = (Math.floor((moments[0]?.at ?? 0) / DAY_SECONDS) + options.learnDays) * DAY_SECONDS;
  for (const moment of moments) {
    const { kind, at, visit } = moment;
    options.before?.(predictor, at);
    const { person } = visit;
    const told = options.tills ? visit : { ...visit, till: null };
    if (kind !== 'joined') tell(predictor, moment, told);
    if (kind === 'ended') rules.ended(at);
    else if (kind === 'started' && visit.joinedAt !== null) rules.lastWait = at - visit.joinedAt;
    else if (kind === 'joined') {
      const ahead = predictor.inLine;
      const wait = predictor.joined(person, at);
      if (at < from) continue;
      if (wait.reason === null) {
        const { median, low, high } = wait;
        const said = { person, at, ahead, median: tenth(median), low: tenth(low), high: tenth(high) };
        judged.push({
          said,
          today: rules.today(ahead + 1, at),
          lastWait: rules.lastWait,
          ...outcomeOf(visit),
        });
      } else silent[wait.reason] = (silent[wait.reason] ?? 0) + 1;
    }
  }
  return { judged, silent };
}

const tenth = (seconds: number): number => Math.round(seconds * 10) / 10;

function outcomeOf({ joinedAt, leftAt, startedAt }: LineVisit): Pick<Judged, 'served' | 'gaveUp'> {
  const after = (at: number | null): number | null => (at === null ? null : at - joinedAt!);
  return { served: after(startedAt), gaveUp: startedAt === null ? after(leftAt) : null };
}

/** What a simple rule would have said. */
class SimpleRules {
  lastWait: number | null = null;
  private readonly ends: number[] = [];
  private first = 0;

  ended(at: number): void {
    this.ends.push(at);
  }

  today(inLine: number, at: number): number | null {
    while (this.first < this.ends.length && this.ends[this.first]! < at - TODAY_SECONDS) this.first += 1;
    const completions = this.ends.length - this.first;
    return completions < TODAY_COMPLETIONS ? null : (inLine * TODAY_SECONDS) / completions;
  }
}
