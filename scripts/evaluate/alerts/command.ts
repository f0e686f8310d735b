import type { Command } from 'commander';
import { RuleWatch, type StoredRule } from '../../../src/alerts/rule-watch.ts';
import { QueueMetrics } from '../../../src/metrics/queue-metrics.ts';
import { Recorder } from '../../../src/metrics/recorder.ts';
import { perfectDetections } from '../../../src/simulator/faults/script-boxes.ts';
import { ShopLog } from '../../../src/simulator/shop-log.ts';
import { ShopWorld } from '../../../src/simulator/shop-world.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import { addUp } from '../../support/numbers.ts';
import { count } from '../../support/options.ts';
import { printing } from '../../support/printing.ts';
import { eachWithProgress, table } from '../../support/terminal.ts';
import { evaluation, seedsOption } from '../options.ts';
import { type AlertScore, scoreRule, type TrueRule, trueMoments, trueVisits } from './truth.ts';

type Condition = TrueRule['conditions'][number];
const when = (metricPath: string, operator: Condition['operator'], threshold: number): Condition => ({
  ...{ metricPath, operator, threshold },
});

/** Name, logic, conditions, cooldown in minutes, duration in seconds. */
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
    5,
    0,
  ],
  [
    'nobody waits, or somebody very long',
    'OR',
    [when('current.inQueue', 'LT', 1), when('current.maxWaitSeconds', 'GT', 60)],
    3,
    0,
  ],
  ['more than twelve wait', 'AND', [when('current.inQueue', 'GT', 12)], 1, 0],
];

/**
 * Evaluates rules over some time of the simulated shop without images. The people of its script go as boxes through
 * tracker, zones, metrics and rules as in a lane and its worker; the firings are compared with those of the script.
 */
export function evaluateAlerts(options: { seed: number; minutes: number; fps: number }) {
  const seconds = options.minutes * 60;
  const parameters = parametersSchema.parse({});
  const rules = RULES.map(
    ([name, logicOperator, conditions, cooldownMinutes, durationSeconds], at): StoredRule & TrueRule => ({
      ...{ id: String(at), sceneId: '', revision: 1, name, severity: 'warning', schedule: null },
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
    // The truth has the resolution of the frames: the first and the last frame in which somebody is inside a zone.
    log.observe(world);
    const { changes } = pipeline.update(perfectDetections(world.people, world.place), timeMs, frame);
    const { tick } = recorder.observe({ timeMs, changes, openVisits: pipeline.openVisits });
    if (!tick) continue;
    for (const { rule } of watch.tick(tick, timeMs)) fired.get(rule.id)!.push(timeMs / 1000);
  }
  const truth = { seconds, zones: {}, parameters, persons: log.persons };
  const moments = trueMoments(trueVisits(truth), seconds);
  return rules.map((rule) => ({ name: rule.name, ...scoreRule(rule, fired.get(rule.id)!, moments) }));
}

interface Options {
  readonly seeds: readonly number[];
  readonly minutes: number;
  readonly fps: number;
}

async function evaluate({ seeds, minutes, fps }: Options) {
  const perSeed = await eachWithProgress('alerts', seeds, 'seeds', (seed) => ({
    seed,
    rules: evaluateAlerts({ seed, minutes, fps }),
  }));
  const all = perSeed.flatMap(({ rules }) => rules);
  const totals = addUp(
    ['fired', 'missed', 'unfounded', 'withinCooldown'],
    all.map(({ fired, missed, unfounded, withinCooldown }) => ({
      ...{ fired, missed: missed.length, unfounded: unfounded.length },
      withinCooldown: withinCooldown.length,
    })),
  );
  const latestSeconds = Math.max(...all.map((rule) => rule.latestSeconds));
  const passed = totals.missed + totals.unfounded + totals.withinCooldown === 0;
  if (!passed) process.exitCode = 1;
  return { minutes, fps, passed, ...totals, latestSeconds, seeds: perSeed };
}

function describe({ seeds, ...all }: Awaited<ReturnType<typeof evaluate>>): string {
  const times = (seconds: readonly number[]) => seconds.map((at) => `${at.toFixed(1)} s`).join(', ') || '0';
  const row = (seed: number, { name, fired, missed, unfounded, withinCooldown, ...rule }: NamedScore) => [
    ...[seed, name, fired, times(missed), times(unfounded), times(withinCooldown)],
    rule.latestSeconds.toFixed(1),
  ];
  return table([
    ['seed', 'rule', 'fired', 'missed', 'unfounded', 'within cooldown', 'latest s'],
    ...seeds.flatMap(({ seed, rules }) => rules.map((rule) => row(seed, rule))),
    ['all', '', all.fired, all.missed, all.unfounded, all.withinCooldown, all.latestSeconds.toFixed(1)],
  ]);
}

type NamedScore = AlertScore & { readonly name: string };

export const alertsCommand = (): Command =>
  evaluation(
    'alerts',
    'Evaluates rules on queue length, waiting and abandonment over an hour of the simulated shop, without images: its\n' +
      'people go as boxes through tracker, zones, metrics and rules. Each rule must fire within 2 s of the moment that\n' +
      'follows from the script, once per cooldown, and at no other time. Otherwise the exit code is 1.',
  )
    .addOption(seedsOption([1, 2, 3]))
    .option('--minutes <n>', 'length of each shop', count(1), 60)
    .option('--fps <n>', 'frames a second', count(2), 5)
    .action(printing(evaluate, describe));
