import type { Metrics } from '../catalogue/metrics/all.ts';
import { readMetric } from '../metrics/catalogue.ts';
import type { Severity } from '../platform/prisma-client/client.ts';
import type { HeldCondition } from './conditions.ts';
import { evaluateRule, type RuleState, type RuleTerms } from './evaluate-rule.ts';

/** A rule that a node evaluates for a scene. */
export interface WatchedRule extends RuleTerms {
  readonly id: string;
  /** The scene at which it is evaluated, also where it is a rule of a site. */
  readonly sceneId: string;
  /** Counts changes of the evaluated parts. An older revision may neither fire nor store its state. */
  readonly revision: number;
  readonly name: string;
  readonly severity: Severity;
}

/** A rule as stored; times are frame times in ms. */
export interface StoredRule extends WatchedRule {
  readonly isFiring: boolean;
  readonly holdingSinceMs: number | null;
  readonly lastTriggeredMs: number | null;
}

/** A rule that fires now. */
export interface Fired {
  readonly rule: WatchedRule;
  readonly held: HeldCondition;
  /** Since when its conditions hold, in frame time. */
  readonly holdingSinceMs: number;
}

/** The stored part of a rule's state. */
export interface RuleStateRow {
  readonly id: string;
  readonly sceneId: string;
  readonly revision: number;
  readonly isFiring: boolean;
  readonly holdingSinceMs: number | null;
}

interface Watched {
  rule: WatchedRule;
  state: RuleState;
  stored: Pick<RuleState, 'isFiring' | 'holdingSinceMs'>;
}

/** Evaluates the rules of one run once a second of frame time. */
export class RuleWatch {
  readonly #rules = new Map<string, Watched>();
  #lastTickMs: number | null;

  /** @param lastFrameMs last frame of the node that had the run before; ticks that are not newer change nothing */
  constructor(lastFrameMs: number | null) {
    this.#lastTickMs = lastFrameMs;
  }

  /** Takes the rules as stored now. A rule of the same revision keeps its state here, which is newer. */
  load(rules: readonly StoredRule[]): void {
    const ids = new Set(rules.map(({ id }) => id));
    for (const id of this.#rules.keys()) if (!ids.has(id)) this.#rules.delete(id);
    for (const row of rules) {
      const { id, isFiring, holdingSinceMs, lastTriggeredMs } = row;
      const known = this.#rules.get(id);
      if (known && known.rule.revision > row.revision) continue;
      if (known?.rule.revision === row.revision) {
        known.rule = row;
        continue;
      }
      // Until the firing is committed, only this node knows the time of the last event.
      const lastMs = Math.max(lastTriggeredMs ?? -Infinity, known?.state.lastTriggeredMs ?? -Infinity);
      this.#rules.set(id, {
        rule: row,
        state: {
          isFiring,
          holdingSinceMs,
          lastTriggeredMs: Number.isFinite(lastMs) ? lastMs : null,
          lastTickMs: this.#lastTickMs,
        },
        stored: { isFiring, holdingSinceMs },
      });
    }
  }

  /** Forgets a rule whose firing was refused; the next `load` takes its stored state. */
  forget(ruleId: string): void {
    this.#rules.delete(ruleId);
  }

  /** @returns the rules that fire now */
  tick(metrics: Metrics, atMs: number): Fired[] {
    const fired: Fired[] = [];
    for (const watched of this.#rules.values()) {
      const { rule } = watched;
      const measure = (path: string) => readMetric(metrics, path);
      const { state, fired: held } = evaluateRule(rule, watched.state, { atMs, measure });
      watched.state = state;
      if (held) fired.push({ rule, held, holdingSinceMs: state.holdingSinceMs ?? atMs });
    }
    this.#lastTickMs = Math.max(atMs, this.#lastTickMs ?? atMs);
    return fired;
  }

  /** States that are not stored yet. Pass them to `stored` after storing them. */
  unstored(): RuleStateRow[] {
    return [...this.#rules.values()].flatMap(({ rule, state, stored }) =>
      state.isFiring === stored.isFiring && state.holdingSinceMs === stored.holdingSinceMs
        ? []
        : [{ id: rule.id, sceneId: rule.sceneId, revision: rule.revision, ...stateOf(state) }],
    );
  }

  stored(rows: readonly RuleStateRow[]): void {
    for (const row of rows) {
      const watched = this.#rules.get(row.id);
      if (watched?.rule.revision === row.revision) watched.stored = stateOf(row);
    }
  }
}

const stateOf = ({ isFiring, holdingSinceMs }: Pick<RuleState, 'isFiring' | 'holdingSinceMs'>) => ({
  isFiring,
  holdingSinceMs,
});
