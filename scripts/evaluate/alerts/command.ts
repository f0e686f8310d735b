import { Command } from 'commander';
import { RuleWatch, type StoredRule } from '../../../src/alerts/rule-watch.ts';
import { QueueMetrics } from '../../../src/metrics/queue-metrics.ts';
import { Recorder } from '../../../src/metrics/recorder.ts';
import { perfectDetections } from '../../../src/simulator/faults/script-boxes.ts';
import { ShopLog } from '../../../src/simulator/shop-log.ts';
import { ShopWorld } from '../../../src/simulator/shop-world.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import { count } from '../../support/options.ts';
import { print, progress, table } from '../../support/terminal.ts';
import { type AlertVerdict, judgeAlerts, type TrueRule, trueMoments, trueVisits } from './truth.ts';

type Condition = TrueRule['conditions'][number];
const when = (metricPath: string, operator: Condition['operator'], threshold: number): Condition => ({
  metricPath,
  operator,
  threshold,
});

/** Name, conditions, minutes of cooldown, seconds of duration. */
const RULES: readonly (readonly [string, 'AND' | 'OR', readonly Condition[], number, number])[] = [
  ['more than five wait', 'AND', [when('current.inQueue', 'GT', 5)], 1, 0],
  ['four wait, for 20 s', 'AND', [when('current.inQueue', 'GTE', 4)], 5, 20],
  ['somebody is in line, for 60 s', 'AND', [when('current.inQueue', 'NEQ', 0)], 10, 60],
  ['somebody waits longer than 40 s', 'AND', [when('current.maxWaitSeconds', 'GT', 40)], 2, 0],
  ['they wait 20 s on average, for 10 s', 'AND', [when('current.avgWaitSeconds', 'GT', 20)], 1, 10],
  ['a fifth gives up, for 30 s', 'AND', [when('rolling5Min.abandonmentRate', 'GT', 0.2)], 5, 30],
  ['four have given up', 'AND', [when('rolling5Min.abandoned.count', 'GTE', 4)], 5, 0],
  [
    'three wait, and waiting was long',
    'AND',
    [when('current.inQueue', 'GTE', 3), when('rolling5Min.completed.avgWaitSeconds', 'GT', 20)],
    ...([5, 0] as const),
  ],
  [
    'nobody waits, or somebody very long',
    'OR',
    [when('current.inQueue', 'LT', 1), when('current.maxWaitSeconds', 'GT', 60)],
    ...([3, 0] as const),
  ],
  ['more than twelve wait', 'AND', [when('current.inQueue', 'GT', 12)], 1, 0],
];

export interface AlertsEvaluation {
  readonly rules: readonly ({ readonly name: string } & AlertVerdict)[];
}

/**
 * Some time of the simulated shop, whose script says who stands where, through tracker, zones, metrics and rules as they
 * run in a lane and its worker, but without pictures; and what should have fired by the script.
 */
export function evaluateAlerts(options: { seed: number; minutes: number; fps: number }): AlertsEvaluation {
  const seconds = options.minutes * 60;
  const parameters = parametersSchema.parse({});
  const rules = RULES.map(
    ([name, logicOperator, conditions, cooldownMinutes, durationSeconds], at): StoredRule & TrueRule => ({
      ...{ id: String(at), revision: 1, name, severity: 'warning', schedule: null },
      ...{ logicOperator, conditions, cooldownMinutes, durationSeconds },
      ...{ isFiring: false, holdingSinceMs: null, lastTriggeredMs: null },
    }),
  );
  const pipeline = new ScenePipeline({ sceneId: 'shop', config: { zones: SHOP_ZONES, parameters } });
  const recorder = new Recorder(new QueueMetrics({ zones: SHOP_ZONES }), 0);
  const watch = new RuleWatch(null);
  watch.load(rules);
  const fired = new Map<string, number[]>(rules.map(({ id }) => [id, []]));

  const world = new ShopWorld(options.seed);
  const log = new ShopLog();
  for (let frame = 1; frame <= seconds * options.fps; frame++) {
    const timeMs = Math.round((frame * 1000) / options.fps);
    world.advanceTo(timeMs);
    // The script as far as frames can tell: when they show somebody inside a zone first and last.
    log.observe(world);
    const { changes } = pipeline.update(perfectDetections(world.people), timeMs, frame);
    const { tick } = recorder.observe({ timeMs, changes, openVisits: pipeline.openVisits });
    if (!tick) continue;
    for (const { rule } of watch.tick(tick, timeMs)) fired.get(rule.id)!.push(timeMs / 1000);
  }
  const truth = { seconds, zones: {}, parameters, persons: log.persons };
  const moments = trueMoments(trueVisits(truth), seconds);
  return {
    rules: rules.map((rule) => ({
      name: rule.name,
      ...judgeAlerts(rule, fired.get(rule.id)!, moments),
    })),
  };
}

interface Options {
  readonly seeds: readonly number[];
  readonly minutes: number;
  readonly fps: number;
  readonly json?: boolean;
}

function run({ seeds, minutes, fps, json }: Options): void {
  const bar = progress('hours', seeds.length, 'seeds');
  const evaluated = seeds.map((seed, at) => {
    const { rules } = evaluateAlerts({ seed, minutes, fps });
    bar.update(at + 1);
    return { seed, rules };
  });
  bar.stop();
  const all = evaluated.flatMap(({ rules }) => rules);
  const many = (of: (verdict: AlertVerdict) => number) => all.reduce((sum, verdict) => sum + of(verdict), 0);
  const sum = {
    fired: many(({ fired }) => fired),
    missed: many(({ missed }) => missed.length),
    unfounded: many(({ unfounded }) => unfounded.length),
    withinCooldown: many(({ withinCooldown }) => withinCooldown.length),
    latestSeconds: Math.max(...all.map(({ latestSeconds }) => latestSeconds)),
  };
  const passed = sum.missed + sum.unfounded + sum.withinCooldown === 0;
  print(json, { minutes, fps, passed, ...sum, seeds: evaluated }, () =>
    table([
      ['seed', 'rule', 'fired', 'missed', 'unfounded', 'within cooldown', 'latest s'],
      ...evaluated.flatMap(({ seed, rules }) => rules.map((rule) => row(seed, rule.name, rule))),
      ['all', '', sum.fired, sum.missed, sum.unfounded, sum.withinCooldown, sum.latestSeconds.toFixed(1)],
    ]),
  );
  if (!passed) process.exitCode = 1;
}

function row(seed: number, name: string, verdict: AlertVerdict): (string | number)[] {
  const { fired, missed, unfounded, withinCooldown, latestSeconds } = verdict;
  const times = (seconds: readonly number[]) => seconds.map((at) => `${at.toFixed(1)} s`).join(', ') || '0';
  return [
    ...[seed, name, fired, times(missed), times(unfounded), times(withinCooldown)],
    latestSeconds.toFixed(1),
  ];
}

export function alertsCommand(): Command {
  return new Command('alerts')
    .description(
      'Rules on queue length, waiting and abandonment over an hour of the simulated shop, without pictures: its people as\n' +
        'boxes go through tracker, zones, metrics and rules. By the script each crossing must fire within 2 s, once per\n' +
        'cooldown, and nothing else. Exit code 0 only if it is so.',
    )
    .option('--seeds <n,…>', 'shops', (text) => text.split(',').map(count(0)), [1, 2, 3])
    .option('--minutes <n>', 'of each', count(1), 60)
    .option('--fps <n>', 'frames a second', count(2), 5)
    .option('--json', 'print one JSON document')
    .action(run);
}
