import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cameraStats } from '../../../scripts/support/silent-lanes.ts';
import { Prometheus } from '../../../src/platform/prometheus.ts';
import { watchNode } from '../../../src/runs/node/node-metrics.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { TestNode } from '../../support/test-node.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

interface Line {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parses the text format of Prometheus. */
function parse(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, held]) => [key, held]);
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}

test('Prometheus reads the numbers of each camera of the node, and none of cameras that have ended', async () => {
  const node = await TestNode.join(database.db, 'scraped');
  const prometheus = new Prometheus('worker');
  watchNode(
    prometheus,
    () => node.supervisor.numbers,
    () => ({ lanes: 20, decoders: 12, all: 35 }),
  );
  const scrape = async () => {
    const lines = parse(await prometheus.registry.metrics());
    const of = (name: string) => lines.filter((line) => line.name === name);
    return {
      node: (name: string) => of(name).map(({ value }) => value),
      of: (deviceId: string) =>
        Object.fromEntries(
          lines
            .filter(({ name, labels }) => name.startsWith('camera_') && labels.device_id === deviceId)
            .map(({ name, value }) => [name, value]),
        ),
      runs: of('analysis_run_info').map(({ labels: { program: _, ...labels } }) => labels),
    };
  };
  expect((await scrape()).node('node_cameras')).toEqual([0]);
  expect((await scrape()).node('node_processor_seconds_total')).toEqual([3, 20, 12]);

  const [a, b] = [await addDevice(database.db), await addDevice(database.db, 'sim:shop?seed=2', 10)];
  const runs = [await queueScene(database.db, a), await queueScene(database.db, b)];
  await node.supervisor.claim();
  const counted = {
    ...{ processedFrames: 30, skippedFrames: 12, heldFrames: 8 },
    ...{ droppedFrames: 20, deliveredFrames: 51 },
  };
  node.events.onStats(cameraStats(a.id, { ...counted, restarts: 3, lagMs: 250, fps: 2.5 }));
  node.events.onStream({
    type: 'stream',
    deviceId: b.id,
    event: 'failed',
    message: 'The camera refuses.',
    faultReason: 'connection_refused',
    isUndecodable: false,
    restartsInARow: 1,
    restartsWithoutFrame: 1,
    info: null,
  });
  node.events.onStats(cameraStats(b.id, { fps: 4 }));

  const both = await scrape();
  expect(['node_cameras', 'node_max_cameras', 'node_overloaded'].map((name) => both.node(name))).toEqual([
    [2],
    [8],
    [0],
  ]);
  expect(both.of(a.id)).toEqual({
    camera_frames_processed_total: 30,
    camera_frames_skipped_total: 12,
    camera_frames_held_total: 8,
    camera_frames_dropped_total: 20,
    camera_frames_delivered_total: 51,
    camera_stream_restarts_total: 3,
    camera_frames_per_second: 2.5,
    camera_wanted_frames_per_second: 5,
    camera_lag_seconds: 0.25,
    camera_processing_seconds: 0.02,
    camera_overloaded: 0,
    camera_decoding_reduced: 0,
    camera_fault: 0,
  });
  expect(both.of(b.id)).toMatchObject({
    camera_frames_per_second: 0,
    camera_wanted_frames_per_second: 10,
    camera_fault: 1,
  });
  const infoOf = ({ scene, task }: (typeof runs)[number]) => ({
    run_id: task.id,
    scene_id: scene.id,
    device_id: scene.deviceId,
  });
  expect(both.runs).toHaveLength(2);
  expect(both.runs).toEqual(expect.arrayContaining(runs.map(infoOf)));

  const { runId } = node.run(a.id);
  await database.db.analysisTask.update({
    where: { id: runs[0]!.task.id },
    data: { stopRequestedAt: new Date() },
  });
  await node.supervisor.renew();
  node.events.onRunEnded({ type: 'runEnded', runId, endOfStream: false, last: null });
  await node.supervisor.record();
  const one = await scrape();
  expect([one.node('node_cameras'), one.of(a.id), one.runs]).toEqual([[1], {}, [infoOf(runs[1]!)]]);
});
