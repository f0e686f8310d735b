import { hostname } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { startDescribing } from '../../../src/insights/start-describing.ts';
import { openQueue } from '../../../src/jobs.ts';
import type { PoolListener } from '../../../src/lanes/lane-pool.ts';
import type { LaneCamera } from '../../../src/lanes/lane-protocol.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { createContext } from '../../../src/platform/context.ts';
import { PROCESS_ID } from '../../../src/platform/database/session-owner.ts';
import { every } from '../../../src/platform/jobs/every.ts';
import { onStopRequest } from '../../../src/platform/processes/processes.ts';
import { NodeLock } from '../../../src/runs/node/node-lock.ts';
import { NodeMember } from '../../../src/runs/node/node-member.ts';
import type { Lanes } from '../../../src/runs/node/node-parts.ts';
import { Supervisor } from '../../../src/runs/node/supervisor.ts';
import { takePlace } from '../../../src/runs/node/take-place.ts';
import { observationAt } from './made-up-queue.ts';

const STEP_MS = 1_000;
const MAX_DEVICES = 64;

// A worker as in production, but without lanes: it makes observations up, on a faster clock. `chaos -- alerts` starts it.
const config = loadConfig();
const context = createContext(config, 'worker');
const baseMs = Number(process.env.CHAOS_BASE_MS);
const stepEveryMs = STEP_MS / Number(process.env.CHAOS_SPEED);
const jpeg = await sharp({ create: { width: 320, height: 180, channels: 3, background: '#446688' } })
  .jpeg()
  .toBuffer();

const cameras = new Map<string, LaneCamera>();
let listener: PoolListener;
const lanes: Lanes = {
  connect(supervisor) {
    listener = supervisor;
  },
  put(deviceId) {
    const camera = listener.requestedCamera(deviceId);
    if (camera) cameras.set(deviceId, camera);
    else cameras.delete(deviceId);
  },
  anchor: () => undefined,
  endStuck: () => undefined,
  watch: () => undefined,
  stored: () => undefined,
  image: async () => ({ jpeg, capturedAtMs: 0, privacyRevision: 1, fault: null }),
};

const queue = openQueue(context);
const lock = new NodeLock(join(config.dataDir, 'nodes'), config.nodeName ?? hostname());
const terms = { leaseSeconds: config.leaseSeconds, formerIncarnation: lock.formerIncarnation };
const wanted = { ...terms, name: lock.name, isChosen: true, nodeId: lock.nodeId };
const identity = {
  ...(await takePlace(context.db, wanted)),
  host: hostname(),
  version: 'chaos',
  model: 'none',
  executionProvider: 'cpu',
  maxConcurrentDevices: MAX_DEVICES,
  incarnation: PROCESS_ID,
};
const node = new NodeMember(context.db, identity, { clock: context.clock, terms });
const end = new AbortController();
const supervisor = new Supervisor({
  context: { ...context, queue },
  node,
  lanes,
  maxDevices: () => MAX_DEVICES,
  onReplaced: () => end.abort(),
});
const describing = startDescribing(context, queue);
await node.join();
await supervisor.start();

/** By run: the time of its next frame. It continues after the run's last stored frame, so that no second is missing. */
const nextMs = new Map<string, number>();
const frames = every(
  stepEveryMs,
  async () => {
    for (const { scenes } of [...cameras.values()]) {
      for (const { sceneId, runId } of scenes) {
        if (!nextMs.has(runId)) {
          const task = await context.db.analysisTask.findFirst({
            where: { sceneId, status: 'PROCESSING' },
            select: { lastFrameAt: true },
          });
          nextMs.set(runId, task?.lastFrameAt ? task.lastFrameAt.getTime() + STEP_MS : baseMs);
        }
        const timeMs = nextMs.get(runId)!;
        listener.onObservations([observationAt({ sceneId, runId }, timeMs, baseMs)]);
        nextMs.set(runId, timeMs + STEP_MS);
      }
    }
  },
  (error) => context.logger.error({ err: error }, 'no frame'),
);

onStopRequest(() => end.abort());
await new Promise((resolve) => end.signal.addEventListener('abort', resolve, { once: true }));
await frames.stop();
await supervisor.stop();
await describing.stop();
await context.db.$disconnect();
process.exit(0);
